/*
 * A transaction that changes public trades: corrections, withdrawals, reinstatements and
 * publications of drafts. Its end adds the events of its changes (decision 47): for each filing,
 * one event for all corrections, one for all withdrawals and one for all reinstatements, with the
 * trades as they are after the transaction. Publications add trade.published themselves. Use it
 * instead of db_begin and db_end wherever correction_add is called.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct db;

struct review_transaction {
    struct db *db;
    bool own; /* it is not a part of the caller's transaction */
    int64_t now_ms;
    int64_t before; /* the newest change before the transaction */
};

/* Begins the transaction, or joins the caller's, and takes publication_lock. */
enum err review_begin(
    struct review_transaction *ret, struct db *db, int64_t now_ms, struct fail *fail);

/* If err is OK, adds the events. Ends its own transaction: commits, or rolls back and returns
 * err. */
enum err review_end(struct review_transaction *t, enum err err, struct fail *fail);
