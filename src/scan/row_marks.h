/*
 * Derives the type and the amount of a row from its marks, in the words of electronic reports.
 * Private to src/scan.
 */
#pragma once

#include "scan/marks.h"
#include "scan/scan_row.h"

/* What the head of a column of types says. */
enum type_name {
    TYPE_UNKNOWN,
    TYPE_PURCHASE,
    TYPE_SALE,
    TYPE_PARTIAL_SALE,
    TYPE_EXCHANGE,
    TYPE_GAIN, /* "capital gain over $200": not a type */
    TYPE_NAME_COUNT
};

/* The names that forms with this number of types print; false: they differ between lists. */
bool row_marks_names(int types, enum type_name ret[static COLUMNS_MAX]);

/* The name that a text of the head means; TYPE_UNKNOWN: none of them. */
enum type_name row_marks_name(struct str text);

/* `names` by the number of the type's column, from 0; NULL: not known yet. */
void row_marks_type(
    const struct columns *columns, const struct scan_mark *marks, const enum type_name *names,
    enum scan_form form, struct scan_row *row);

void row_marks_amount(
    const struct columns *columns, const struct scan_mark *marks, enum scan_form form,
    struct scan_row *row);
