/*
 * What earlier e-mails contained. A digest asks this for many people and entries, so the answer is
 * read for a whole list of people at once: one block of the sequence of changes at a time, when the
 * first question needs the block.
 */
#pragma once

#include "alert/work.h"
#include "store/account/alert_match.h"

/* Visits the rows that were sent, of passes that began with an entry from `first` to `last`.
 * ERR_BUSY: the run was stopped. */
enum err sent_each(
    const struct alert_work *work, int64_t first, int64_t last, alert_sent_visit *visit, void *ctx,
    struct fail *fail);

struct sent;

struct sent *sent_create(const struct alert_work *work);
void sent_destroy(struct sent *sent); /* NULL is ignored */

/* Forgets the accounts of the last list. The next questions are about those of this one. */
enum err sent_begin(struct sent *sent, const struct alert_waiting_list *list, struct fail *fail);

/* *ret: an e-mail to the account contained this entry. */
enum err sent_find(
    struct sent *sent, int64_t account_no, int64_t seq, bool *ret, struct fail *fail);
