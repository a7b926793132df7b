/* Unsaved input of a reviewer in the form of a row (store/desk/typed.h). Private to src/site/desk.
 */
#pragma once

#include "html/form.h"
#include "site/desk/desk_act.h"

/* Actions with a struct desk_job. Keeps the form of the call, without its tokens; the same unless
 * the page that the field `of` names was sent before; forgets it. The place is the path of the
 * call. */
act_run desk_typed_keep;
act_run desk_typed_keep_unsent;
act_run desk_typed_forget;

/* The unsaved input of this path; *ret NULL: none. Sets `typed` of the view: its time, and
 * `changed` if the row has changed since (`mark`: of the current row; null: a new row). */
enum err desk_typed_load(
    struct page_call *call, struct str mark, const struct form **ret, struct fail *fail);

/* `unsaved` of the view: the rows of the draft with the visitor's unsaved input. */
enum err desk_typed_put(struct page_call *call, struct fail *fail);
