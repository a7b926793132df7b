/*
 * A table on a terminal: collects rows, then prints them in aligned columns, under names in words
 * (createdAt: "created at"). No text is ever cut: cells that do not fit are wrapped at blanks, the
 * last column may flow over the edge, and a table that does not fit either way is folded. A folded
 * row has its first two values on a line, and "name value" pairs below them, without empty ones.
 *
 *     grid_cell(&t, "id", id, PAINT_NONE, false);
 *     if (!grid_same_columns(&t)) { grid_print(&t, &terminal, &to); grid_restart(&t); }
 *     grid_row_end(&t);
 *     if (grid_is_full(&t)) grid_print(&t, &terminal, &to);
 */
#pragma once

#include "cmd/term/terminal.h"

enum { GRID_COLUMNS_MAX = 32, GRID_ROWS_MAX = 500, GRID_TEXT_MAX = 16 << 20 };

struct grid_cell {
    size_t name_at, name_n; /* in `text`, as the value */
    size_t at, n;
    enum paint paint;
    bool number; /* aligned on the right */
};

struct grid {
    struct buf text;
    struct buf names;        /* of the first row, joined by tabs */
    struct grid_cell *cells; /* row by row; the row that is being added comes last */
    size_t cell_count, cells_max;
    size_t column_count; /* 0: no row is complete */
    size_t row_count;    /* complete rows that are not printed yet */
    size_t widths[GRID_COLUMNS_MAX];
    bool begun;  /* a part is printed: its layout stays for the rest */
    bool folded; /* the layout is folded rows */
};

void grid_init(struct grid *t);
void grid_finish(struct grid *t);

/* Adds a cell to the current row; both texts are copied. `value` is one line, already escaped by
 * hidden_show. A row has at most GRID_COLUMNS_MAX cells (asserted). */
void grid_cell(struct grid *t, const char *name, struct str value, enum paint paint, bool number);
void grid_row_end(struct grid *t);

/* Whether the current row has the same names as the row before it, if there is one. */
bool grid_same_columns(const struct grid *t);
bool grid_is_full(const struct grid *t);

/* Appends the complete rows and forgets them, with the names first if none was printed yet. */
void grid_print(struct grid *t, const struct terminal *terminal, struct buf *to);
/* The same as blocks of "name  value" lines. */
void grid_print_blocks(struct grid *t, const struct terminal *terminal, struct buf *to);

/* Begins another table with the current row. No complete row may be left. */
void grid_restart(struct grid *t);
