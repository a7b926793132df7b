/* The page on which a second person types a paper filing, and a third decides about differences
 * (review/desk/double_entry.h). It shows no text of the draft but those that differ, without names.
 * Private to src/site/desk. */
#pragma once

#include "base/hash.h"
#include "review/desk/double_entry.h"
#include "site/frame/page_call.h"

enum { DESK_ENTRY_MARK_SIZE = 16 };

/* A mark of both texts of a difference, to detect that they changed after the page was shown. */
void desk_entry_mark(
    const struct double_difference *difference, char ret[static DESK_ENTRY_MARK_SIZE]);

/* The row that is typed next: the first after `row` that is not typed, else the first one; 0: all
 * are typed. */
int desk_entry_next(const struct double_view *view, int row);

/* Whether the visitor may see which rows the draft has: not while the draft is hidden, unless the
 * visitor has counted the rows of the pages, or decides differences. */
enum err desk_entry_tells_rows(
    struct page_call *call, struct str filing_id, bool *ret, struct fail *fail);

/* The page without its picture; `row` is the one whose form is open, 0: none. */
enum err desk_entry_put(
    struct page_call *call, const struct double_view *view, int row, struct fail *fail);
