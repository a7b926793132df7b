/* Unsaved input of a reviewer in the form of a row (store/desk/typed.h). Private to src/site/desk.
 */
#pragma once

#include "html/form.h"
#include "site/frame/page_call.h"

/* Inside page_write: keeps the form of the call, without its tokens; the same unless the page that
 * the field `of` names was sent before; forgets it. The place is the path of the call. */
enum err desk_typed_keep(struct page_call *call, struct db *db, struct fail *fail);
enum err desk_typed_keep_unsent(struct page_call *call, struct db *db, struct fail *fail);
enum err desk_typed_forget(struct page_call *call, struct db *db, struct fail *fail);

/* The unsaved input of this path; *ret NULL: none. Sets `typed` of the view: its time, and
 * `changed` if the row has changed since (`mark`: of the current row; null: a new row). */
enum err desk_typed_load(
    struct page_call *call, struct str mark, const struct form **ret, struct fail *fail);

/* `unsaved` of the view: the rows of the draft with the visitor's unsaved input. */
enum err desk_typed_put(struct page_call *call, struct fail *fail);
