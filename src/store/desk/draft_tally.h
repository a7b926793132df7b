/* The counts of a draft by which the reviewers' queue is sorted (store/desk/draft_queue.h). */
#pragma once

#include "db/db.h"

/* Counts again. Call it inside the transaction, after the last change of the draft's rows. */
enum err draft_tally(struct db *db, int64_t draft_no, struct fail *fail);

/* Earlier versions did not count the fields of scans that are not sure. Looks at the next drafts of
 * paper after *after (0: from the first) and counts the first one again whose count is wrong.
 * *ret_more: call it again, with the *after that it leaves. Inside a transaction. */
enum err draft_tally_again(struct db *db, int64_t *after, bool *ret_more, struct fail *fail);
