/*
 * The columns of a table and the role of each, decided by their widths alone: owner, asset (the
 * widest), types, dates, amounts. Private to src/scan.
 */
#pragma once

#include <stdbool.h>

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

/* Whether tables with these lines are forms. */
bool columns_match(const int *at, int lines, struct columns *ret);
