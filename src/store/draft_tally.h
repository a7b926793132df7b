/* The counts of a draft by which the reviewers' queue is sorted (store/draft_queue.h). */
#pragma once

#include "store/db/db.h"

/* Counts again. Call it inside the transaction, after the last change of the draft's rows. */
enum err draft_tally(struct db *db, int64_t draft_no, struct fail *fail) MUST_CHECK;
