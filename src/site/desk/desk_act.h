/* Actions of the desk's pages on a draft: one action of review/desk/desk.h inside page_write,
 * refused if the draft changed since the page was shown. Private to src/site/desk. */
#pragma once

#include "review/desk/desk.h"
#include "site/frame/page_call.h"

/* The state of one action. A handler embeds it to pass more. */
struct desk_job {
    struct page_call *call;
    struct desk desk; /* the database is set when it runs */
    struct str filing_id;
    int row;          /* of an action on one row */
    struct str next;  /* the next page; null: back to the draft */
    enum flash flash; /* the message, if the action has several outcomes */
    bool published;
    bool to_draft; /* there is no other row to open */
    act_run *run;
};

/* What a form of the desk can do, by its field `do`. */
struct desk_do {
    struct str name;
    act_run *run;
    enum flash flash; /* unless the job has another */
    bool stays;       /* the form is shown again */
};

void desk_job_init(struct page_call *call, struct desk_job *ret);

/* NULL: no row of the table has the name in the form, and the error lists them. */
const struct desk_do *desk_do_find(
    struct page_call *call, const struct desk_do *dos, size_t count, struct fail *fail);
#define DESK_DO(call, dos, fail) desk_do_find(call, dos, sizeof(dos) / sizeof *(dos), fail)

/* Whether this paper draft is hidden from the visitor, because two people type it and somebody else
 * has begun (review/desk/double_entry.h). */
enum err desk_hides(
    struct page_call *call, const struct draft *draft, bool *ret, struct fail *fail);

/* page_write with the job, or what it begins, as the context of `run`. The first refuses a draft
 * that is hidden: ERR_REFUSED. */
enum err desk_write(struct desk_job *job, act_run *run, struct fail *fail);
enum err desk_write_blind(struct desk_job *job, act_run *run, struct fail *fail);

/* Locks the draft. ERR_REFUSED: another reviewer holds it. */
enum err desk_lock(const struct act *act, struct desk_job *job);

/* The same, and compares the field `mark` of the form with the draft, or with its row if `row` is
 * set. ERR_REFUSED: also if it changed. */
enum err desk_check_mark(const struct act *act, struct desk_job *job);

/* Takes the suggested symbols of the draft whose names agree; for desk_write. */
enum err desk_take_symbols(const struct act *act, void *job);
