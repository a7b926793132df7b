/* What the rewriter of Markdown and its files share. Private to src/html. */
#pragma once

#include "base/buf.h"

enum { MARKDOWN_COLUMNS_MAX = 16 };

/* Stands for a tab at the start of a line of code, for which md4c would write spaces. No text has
 * it, because hidden characters are shown first. */
#define MARKDOWN_TAB '\x01'

struct markdown_rewriter {
    struct buf *html, *contents;
    struct str rest;                         /* of md4c's output */
    int level;                               /* of the last entry in contents; 1: none */
    struct buf anchor;                       /* of the last heading */
    int tabs;                                /* groups of examples so far */
    struct str labels[MARKDOWN_COLUMNS_MAX]; /* of the table's columns; in md4c's output */
    size_t columns, column;                  /* of the table; of the row, up to now */
    bool in_head;
};

/* Skips `tag` if the output goes on with it. */
bool markdown_take(struct markdown_rewriter *r, struct str tag);

/* The text up to this closing tag, which is skipped. */
struct str markdown_take_until(struct markdown_rewriter *r, const char *closing);

/* Code, from behind its opening tags, and the blocks that follow it directly. */
void markdown_put_code(struct markdown_rewriter *r, struct str language);

/* A tag of a table; false: the output goes on with another one. */
bool markdown_put_table_tag(struct markdown_rewriter *r);
