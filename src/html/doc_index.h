/*
 * What a page of the documentation has, to search it and to link into it: its headings with the
 * text below them, and the terms of its tables (parameters, members, error codes). Read from the
 * HTML that markdown_html made.
 */
#pragma once

#include "base/mem.h"

struct doc_entry {
    int level;         /* of the heading, 1 to 3; 0: a term, a row of a table */
    struct str anchor; /* null: the page itself */
    struct str title;  /* without markup */
    struct str text; /* until the next heading, without code and terms; of a term the other cells */
};

struct doc_index {
    struct doc_entry *entries;
    size_t count;
};

/* All memory is the arena's. */
void doc_index_make(struct doc_index *index, struct arena *arena, struct str html);
