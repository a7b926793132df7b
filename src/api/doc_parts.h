/*
 * Long documents as several pages, so that each page loads quickly. A cut is a run of sections
 * (headings of level 2) of a text; the first page of the text has what no cut takes. Links between
 * sections lead to the page that has the section.
 */
#pragma once

#include "base/buf.h"
#include "edge/doc.h"

struct doc_cut {
    struct str from;  /* anchor of its first section; null: no cut */
    struct str until; /* anchor of the section after it; null: it goes to the end */
};

/* Appends the sections of a cut as a document with this title. A single section becomes the
 * document itself: its headings rise by one level. */
void doc_cut_put(struct buf *b, struct str text, const struct doc_cut *cut, struct str title);

/* Appends the text without the sections of the cuts. */
void doc_rest_put(struct buf *b, struct str text, const struct doc_cut *cuts, size_t count);

/* Appends the text of list->items[page] with links to sections of other pages. A link to another
 * guide's file ("sync.md") leads to its page; one to a file that is not served becomes its
 * words. */
void doc_links_put(struct buf *b, const struct doc_list *list, size_t page);
