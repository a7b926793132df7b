/*
 * A transaction that changes public trades: corrections, withdrawals, reinstatements and
 * publications of drafts. Its end adds the events of its changes (decision 47): for each filing,
 * one event for all corrections, one for all withdrawals and one for all reinstatements, with the
 * trades as they are after the transaction. Publications add trade.published themselves. Use it
 * instead of db_begin and db_end wherever correction_add is called.
 */
#pragma once

#include <stdint.h>

#include "base/err.h"

struct db;

struct review_transaction {
    struct db *db;
    bool own; /* it is not a part of the caller's transaction */
    int64_t now_ms;
    int64_t before; /* the newest change before the transaction */
};

/* Declares a transaction. What review_end does not end is rolled back where the block ends. */
#define REVIEW_TRANSACTION(name)                                                                   \
    struct review_transaction name __attribute__((cleanup(review_drop))) = {.own = false}
void review_drop(struct review_transaction *t);

/* Begins the transaction, or joins the caller's, and takes publication_lock. */
enum err review_begin(
    struct review_transaction *ret, struct db *db, int64_t now_ms, struct fail *fail);

/* Adds the events, and commits its own transaction. */
enum err review_end(struct review_transaction *t, struct fail *fail);
