/* Compares every entry with every word; see doc_search.h. The documentation has some 300 KB. */
#include "html/doc_search.h"

/* What a word is worth by where it occurs. A heading is before the terms below it. */
enum {
    SCORE_TITLE = 24,
    SCORE_TITLE_START = 12, /* more: it begins a word of the title */
    SCORE_TITLE_WHOLE = 30, /* more: it is the title */
    SCORE_PAGE = 4,
    SCORE_TEXT = 2,
    SCORE_FIRST = 40, /* more: it is in the title of the page */
};

struct doc_words doc_words_of(struct str query)
{
    struct doc_words words = {.count = 0};
    while (words.count < DOC_WORDS_MAX && str_next_word(&query, &words.items[words.count]))
        words.count++;
    return words;
}

static bool is_at(struct str text, size_t at, struct str word)
{
    for (size_t i = 0; i < word.n; i++)
        if (ascii_lower(text.p[at + i]) != ascii_lower(word.p[i]))
            return false;
    return true;
}

/* From `from`; negative: the text does not have the word. */
static ptrdiff_t find(struct str text, struct str word, size_t from)
{
    for (size_t at = from; at + word.n <= text.n; at++)
        if (is_at(text, at, word))
            return (ptrdiff_t)at;
    return -1;
}

static int score_title(struct str title, struct str word)
{
    ptrdiff_t at = find(title, word, 0);
    if (at < 0)
        return 0;
    bool start = at == 0 || !ascii_is_alnum(title.p[at - 1]);
    return SCORE_TITLE + (start ? SCORE_TITLE_START : 0) +
           (word.n == title.n ? SCORE_TITLE_WHOLE : 0);
}

/* 0: a word is missing. */
static int score_of(
    const struct doc_entry *entry, struct str page_title, const struct doc_words *words)
{
    int score = 0;
    for (size_t i = 0; i < words->count; i++) {
        struct str word = words->items[i];
        int own = score_title(entry->title, word);
        own += own && entry->level == 1 ? SCORE_FIRST : 0;
        if (!own && find(entry->text, word, 0) >= 0)
            own = SCORE_TEXT;
        if (!own && find(page_title, word, 0) >= 0)
            own = SCORE_PAGE;
        if (!own)
            return 0;
        score += own;
    }
    return score;
}

/* Keeps the best hits in their order. */
static size_t insert(struct doc_hit *hits, size_t count, struct doc_hit hit)
{
    size_t at = count;
    while (at > 0 && hits[at - 1].score < hit.score)
        at--;
    if (at == DOC_HITS_MAX)
        return count;
    size_t end = count < DOC_HITS_MAX ? count : DOC_HITS_MAX - 1;
    for (size_t i = end; i > at; i--)
        hits[i] = hits[i - 1];
    hits[at] = hit;
    return end + 1;
}

size_t doc_search(
    const struct doc_index *const *pages, size_t count, const struct doc_words *words,
    struct doc_hit ret[DOC_HITS_MAX])
{
    size_t hits = 0;
    for (size_t page = 0; page < count && words->count > 0; page++) {
        const struct doc_index *index = pages[page];
        for (size_t i = 0; i < index->count; i++) {
            const struct doc_entry *entry = &index->entries[i];
            int score = score_of(entry, index->entries[0].title, words);
            if (score > 0)
                hits = insert(ret, hits, (struct doc_hit){page, entry, score});
        }
    }
    return hits;
}

ptrdiff_t doc_words_find(
    const struct doc_words *words, struct str text, size_t from, size_t *ret_length)
{
    ptrdiff_t first = -1;
    for (size_t i = 0; i < words->count; i++) {
        ptrdiff_t at = find(text, words->items[i], from);
        if (at >= 0 && (first < 0 || at < first)) {
            first = at;
            *ret_length = words->items[i].n;
        }
    }
    return first;
}
