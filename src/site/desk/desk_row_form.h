/* The form of one row of a draft. Private to src/site/desk. */
#pragma once

#include "html/form.h"
#include "paper/cell/cell.h"
#include "paper/cell/row_field.h"
#include "review/desk/desk.h"
#include "site/frame/page_call.h"

/* A field of the form, by its name in desk_set. */
struct desk_field {
    const char *name, *label;
    enum row_field field; /* ROW_FIELD_COUNT: notifiedDate, capGainsOver200, company, status */
    enum cell cell;       /* that it is read from */
};

extern const struct desk_field desk_fields[];
extern const size_t desk_field_count;

/* The box that says that the page states no trade date. */
#define DESK_NO_DATE "noTradeDate"

/* The text of the field, as desk_set reads it; null for null. */
struct str desk_field_text(
    const struct desk_field *field, const struct draft_row_stored *row,
    char space[static ROW_FIELD_TEXT_MAX]);

/* `form` of the view: the row's number, mark and doubts, and fields.NAME for each field, with the
 * printed cell, its doubts, the public value, and the value of the row above. `posted` is the typed
 * form, or NULL. `item` NULL: the form of a new row on `page`; 0: no page. */
void desk_row_form_put(
    struct page_call *call, const struct desk_view *view, const struct difference_item *item,
    int page, const struct form *posted);

/* The last row before that number that is not deleted; NULL: none. 0: the last row. */
const struct draft_row_stored *desk_row_above(const struct draft_row_list *rows, int row);

/* NULL: no field has this name. */
const struct desk_field *desk_field_find(struct str name);
