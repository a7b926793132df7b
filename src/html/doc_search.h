/*
 * Search in the documentation: the headings and terms in which every word of a query occurs, in the
 * title, in the text or in the title of the page. Letter case is ignored, and a word may be the
 * beginning of a longer one.
 */
#pragma once

#include "html/doc_index.h"

enum { DOC_WORDS_MAX = 8, DOC_HITS_MAX = 20 };

struct doc_words {
    struct str items[DOC_WORDS_MAX]; /* of the query, which they point into */
    size_t count;
};

struct doc_hit {
    size_t page;
    const struct doc_entry *entry;
    int score;
};

/* The words of a query; those after the first eight are ignored. */
struct doc_words doc_words_of(struct str query);

/* The best hits, best first; equal ones in the order of the pages. Without words there are none. */
size_t doc_search(
    const struct doc_index *const *pages, size_t count, const struct doc_words *words,
    struct doc_hit ret[DOC_HITS_MAX]);

/* The next place from `from` where one of the words occurs: its offset, and its length. Negative:
 * there is none. */
ptrdiff_t doc_words_find(
    const struct doc_words *words, struct str text, size_t from, size_t *ret_length);
