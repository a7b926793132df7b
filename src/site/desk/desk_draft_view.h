/* A draft as members of a view, for the desk. Private to src/site/desk. */
#pragma once

#include "review/desk/desk.h"
#include "site/frame/page_call.h"

/* `draft` (the filing), `checks`, `rows` (a table), `counts`, `obstacles` (what must be done before
 * the draft can be accepted), `after` (accepted drafts that are published first), `mark`.
 * `open_row` is the row whose form is open: its item has `open`, and `nextRow` is the one below it.
 * `descends`: the rows in the order of a document that numbers them downwards. */
void desk_draft_put(
    struct page_call *call, const struct desk_view *view, int open_row, bool descends);

/* `history`: who did what, and when. */
enum err desk_history_put(struct page_call *call, int64_t draft_no, struct fail *fail);

enum { DESK_PAGE_MAX = 9999 };

/* The last page of the file of a paper filing; DESK_PAGE_MAX if its pages were not read. */
enum err desk_scan_last_page(
    struct page_call *call, const struct draft *draft, int *ret, struct fail *fail);

/* Why the page of a paper filing was not read, or not in full; null: it was. In the call's arena.
 */
enum err desk_scan_page_reason(
    struct page_call *call, const struct draft *draft, int page, struct str *ret,
    struct fail *fail);

/* The row with that number; NULL: there is none. */
const struct difference_item *desk_item(const struct desk_view *view, int row);
