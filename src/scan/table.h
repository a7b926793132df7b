/*
 * The table of a straight page: the columns that most of its bands agree on, and those bands.
 * Private to src/scan.
 */
#pragma once

#include "scan/bands.h"

/*
 * The columns of a table and the role of each, decided by their widths alone: owner, asset (the
 * widest), types, dates, amounts.
 */

enum { COLUMNS_MAX = 24 };

enum column_role {
    COLUMN_OTHER, /* the number of the row, an account */
    COLUMN_OWNER,
    COLUMN_ASSET,
    COLUMN_TYPE,
    COLUMN_DATE,
    COLUMN_NOTIFIED,
    COLUMN_AMOUNT,
};

struct columns {
    int count;
    int at[COLUMNS_MAX + 1]; /* the lines, in dots from the left */
    enum column_role role[COLUMNS_MAX];
    int nth[COLUMNS_MAX]; /* of its role, from 0 */
    int types, dates, amounts;
    double cost; /* how far the widths are from those of a form; 0: they are equal */
};

struct page_table {
    struct columns columns;
    const struct band **band; /* the bands that the column lines cross, from top to bottom */
    int band_count;           /* there is room for twice as many */
    int above;     /* long lines above the first of them: a first page has a head of its own */
    bool reversed; /* the page is upside down; places are given on the page as it is */
};

/* false: no band has the columns of a form. */
bool table_find(const struct bands *bands, int width, struct arena *arena, struct page_table *ret);

/* Makes two bands of one, of equal height: the rule between them is missing on the page. */
void table_split(struct page_table *table, int band, struct arena *arena);

/* Where the left line of the column stands in the band; `column` up to the count: the last line. */
int table_column_at(const struct page_table *table, const struct band *band, int column);
