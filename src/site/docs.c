/*
 * The documentation: the API makes the Markdown from its tables (edge/doc.h), and html makes HTML
 * of it once.
 */
#include "site/docs.h"

#include <assert.h>

#include "base/thread.h"
#include "html/markdown.h"
#include "site/frame/handlers.h"
#include "site/frame/page_call_parts.h"
#include "site/site_fixed.h"

enum { DOC_SIZE_MAX = 4 << 20 };

void docs_init(struct site *site)
{
    pthread_mutex_init(&site->docs_lock, NULL);
    site->docs = mem_array(site->config.docs[0].count, sizeof *site->docs);
}

static void build(struct site *site)
{
    const struct doc_list *list = &site->config.docs[0];
    site->config.docs_make(site->config.docs_ctx);
    for (size_t i = 0; i < list->count; i++) {
        struct site_doc *doc = &site->docs[i];
        assert(str_eq(list->items[i].markdown, site->config.docs[1].items[i].markdown));
        buf_init(&doc->html, DOC_SIZE_MAX);
        buf_init(&doc->contents, DOC_SIZE_MAX);
        markdown_html(&doc->html, &doc->contents, list->items[i].markdown);
        doc->has_examples = str_find(buf_view(&doc->html), STR("<div class=\"examples\">")) >= 0;
        arena_init(&doc->arena);
        doc_index_make(&doc->index, &doc->arena, buf_view(&doc->html));
    }
    site_fixed_fill_docs(site);
}

void docs_make(struct site *site)
{
    LOCKED(&site->docs_lock);
    if (!docs_ready(site))
        build(site);
    atomic_store_explicit(&site->docs_made, true, memory_order_release);
}

void docs_finish(struct site *site)
{
    for (size_t i = 0; i < site->config.docs[0].count; i++) {
        buf_finish(&site->docs[i].html);
        buf_finish(&site->docs[i].contents);
        arena_finish(&site->docs[i].arena);
    }
    mem_free(site->docs);
    pthread_mutex_destroy(&site->docs_lock);
}

/* --- the sidebar */

void docs_put_sidebar(struct page_call *call, size_t current)
{
    const struct doc_list *list = &call->config->docs[call->reply->demo];
    const struct site_doc *made = call->reply->site->docs;
    struct view *groups = view_list(call->view, "groups"), *pages = NULL;
    for (size_t i = 0; i < list->count; i++) {
        const struct doc *doc = &list->items[i];
        if (i == 0 || !str_eq(doc->group, doc[-1].group)) {
            struct view *group = view_item(groups);
            view_str(group, "label", doc->group);
            pages = view_list(group, "pages");
        }
        struct view *page = view_item(pages);
        view_str(page, "label", doc->link);
        view_str(page, "href", docs_path(doc, call->arena));
        view_bool(page, "current", i == current);
        view_html(page, "contents", i == current ? buf_view(&made[i].contents) : STR_NULL);
    }
}

/* --- sections that moved */

static struct str section_path(const struct doc_entry *entry, struct str path, struct arena *arena)
{
    return arena_fmt(arena, "%.*s#%.*s", STR_ARG(path), STR_ARG(entry->anchor));
}

/* A page, and the sections below its title. */
static void put_part(
    struct view *part, const struct doc *doc, const struct doc_index *index, struct arena *arena)
{
    struct str path = docs_path(doc, arena);
    const struct doc_entry *first = index->entries;
    view_str(part, "label", doc->title);
    view_str(part, "href", path);
    view_str(part, "anchor", first->anchor);
    struct view *sections = view_list(part, "sections");
    size_t count = 0;
    for (size_t i = 1; i < index->count; i++) {
        const struct doc_entry *entry = &index->entries[i];
        if (!entry->level)
            continue;
        struct view *section = view_item(sections);
        view_str(section, "anchor", entry->anchor);
        view_str(section, "label", entry->title);
        view_str(section, "href", section_path(entry, path, arena));
        count++;
    }
    view_bool(part, "hasSections", count > 0);
}

/* The sections that once were on this page, each under its old anchor: a link to it from outside
 * arrives at the new place. */
static void put_parts(struct page_call *call, const struct doc_list *list, size_t current)
{
    const struct site_doc *made = call->reply->site->docs;
    bool whole = !list->items[current].is_part;
    bool any = whole && current + 1 < list->count && list->items[current + 1].is_part;
    view_bool(call->view, "hasParts", any);
    struct view *parts = view_list(call->view, "parts");
    for (size_t i = current + 1; whole && i < list->count && list->items[i].is_part; i++)
        put_part(view_item(parts), &list->items[i], &made[i].index, call->arena);
}

enum err docs_load(struct page_call *call, struct fail *fail)
{
    const struct page_reply *reply = call->reply;
    const struct doc_list *list = &call->config->docs[reply->demo];
    size_t at = 0;
    if (call->x) /* not while docs_make prints this page */
        docs_make(reply->site);
    /* decoded: the path may have escapes. The document of /docs itself has no name. */
    struct str name = str_is_null(call->segments[0]) ? STR("") : call->segments[0];
    while (at < list->count && !str_eq(list->items[at].name, name))
        at++;
    if (at == list->count && str_eq(name, STR("endpoints"))) { /* one page until there were many */
        page_redirect(call, STR("/docs"), FLASH_NONE);
        return OK;
    }
    if (at == list->count)
        return fail_set(fail, ERR_NOT_FOUND, "no such document");
    const struct doc *doc = &list->items[at];
    const struct site_doc *made = &reply->site->docs[at];
    view_html(call->view, "text", buf_view(&made->html));
    view_bool(call->view, "hasExamples", made->has_examples);
    struct view *markdown = view_item(view_list(call->view, "alternates"));
    view_str(markdown, "type", STR("text/markdown"));
    view_fmt(markdown, "href", "%.*s.md", STR_ARG(docs_path(doc, call->arena)));
    docs_put_sidebar(call, at);
    view_null(call->view, "q");
    put_parts(call, list, at);
    page_template(call, 200, STR("docs"), doc->title);
    return OK;
}
