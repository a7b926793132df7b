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
    bool changed;     /* the draft changed since the page was shown: nothing was done */
    struct str next;  /* the next page; null: back to the draft */
    enum flash flash; /* the message, if the action has several outcomes */
    bool published;
    bool to_draft; /* there is no other row to open */
    act_run *run;
};

void desk_job_init(struct page_call *call, struct desk_job *ret);

/* Whether this paper draft is hidden from the visitor, because two people type it and somebody else
 * has begun (review/desk/double_entry.h). */
enum err desk_hides(
    struct page_call *call, const struct draft *draft, bool *ret, struct fail *fail);

/* page_write with the job, or what it begins, as the context of `run`. ERR_REFUSED: the draft is
 * hidden. */
enum err desk_write(struct desk_job *job, act_run *run, struct fail *fail);

/* ERR_REFUSED: another reviewer holds the draft. */
enum err desk_check_claim(struct desk_job *job, const struct draft *draft, struct fail *fail);

/* Locks the draft, checks the claim, and compares the field `mark` of the form with the draft, or
 * with its row if `row` is set. Inside the transaction. ERR_REFUSED, and job->changed: it changed.
 */
enum err desk_check_mark(struct desk_job *job, struct db *db, struct fail *fail);

/* Takes the suggested symbols of the draft whose names agree; for desk_write. */
enum err desk_take_symbols(const struct act *act, void *job);
