/* /docs/search?q=: what the documentation has about some words. The script shows the results of
 * this page while the reader types. */
#include "html/doc_search.h"

#include "site/docs.h"
#include "site/frame/handlers.h"
#include "site/frame/page_call_parts.h"

enum { QUERY_MAX = 100, EXCERPT_BEFORE = 50, EXCERPT_MAX = 180 };

/* The start of a word, at or before `at`: texts are cut between words. */
static size_t word_start(struct str text, size_t at)
{
    while (at > 0 && at < text.n && text.p[at - 1] != ' ')
        at--;
    return at < text.n ? at : text.n;
}

/* The part of the text with the first word that was asked for. */
static struct str excerpt(struct str text, const struct doc_words *words)
{
    size_t length;
    ptrdiff_t at = doc_words_find(words, text, 0, &length);
    size_t from = at > EXCERPT_BEFORE ? word_start(text, (size_t)at - EXCERPT_BEFORE) : 0;
    return str_slice(text, from, word_start(text, from + EXCERPT_MAX));
}

static void put_piece(struct view *pieces, struct str text, bool found)
{
    struct view *piece = view_item(pieces);
    view_str(piece, "text", text);
    view_bool(piece, "found", found);
}

/* A text in pieces: those that were asked for, and those between. */
static void put_pieces(
    struct view *result, const char *name, struct str text, const struct doc_words *words)
{
    struct view *pieces = view_list(result, name);
    size_t from = 0, length = 0;
    for (ptrdiff_t at; (at = doc_words_find(words, text, from, &length)) >= 0;) {
        put_piece(pieces, str_slice(text, from, (size_t)at), false);
        put_piece(pieces, str_slice(text, (size_t)at, (size_t)at + length), true);
        from = (size_t)at + length;
    }
    put_piece(pieces, str_slice(text, from, text.n), false);
}

static void put_result(
    struct page_call *call, struct view *result, const struct doc *doc, const struct doc_hit *hit,
    const struct doc_words *words)
{
    const struct doc_entry *entry = hit->entry;
    struct str path = docs_path(doc, call->arena);
    put_pieces(result, "name", entry->title, words);
    put_pieces(result, "excerpt", excerpt(entry->text, words), words);
    view_bool(result, "term", entry->level == 0);
    view_str(result, "page", entry->level == 1 ? STR_NULL : doc->title);
    view_fmt(
        result, "href", "%.*s%s%.*s", STR_ARG(path), entry->anchor.n ? "#" : "",
        STR_ARG(entry->anchor));
}

enum err docs_search_load(struct page_call *call, struct fail *fail)
{
    const struct doc_list *list = &call->config->docs[call->reply->demo];
    const struct site_doc *made = call->reply->site->docs;
    const struct doc_index **pages =
        ARENA_ARRAY(call->arena, const struct doc_index *, list->count);
    struct doc_hit hits[DOC_HITS_MAX];
    struct str query = str_trim(page_query(call, STR("q")));
    if (query.n > QUERY_MAX)
        query = str_slice(query, 0, word_start(query, QUERY_MAX));
    struct doc_words words = doc_words_of(query);
    docs_make(call->reply->site);
    for (size_t i = 0; i < list->count; i++)
        pages[i] = &made[i].index;
    size_t count = doc_search(pages, list->count, &words, hits);
    docs_put_sidebar(call, list->count);
    view_typed(call->view, "q", query);
    view_str(call->view, "query", query);
    view_bool(call->view, "none", words.count > 0 && count == 0);
    struct view *results = view_list(call->view, "results");
    for (size_t i = 0; i < count; i++)
        put_result(call, view_item(results), &list->items[hits[i].page], &hits[i], &words);
    return OK;
}
