/*
 * Withdraws published trades (decision 29). A withdrawn trade leaves lists and counts; the
 * corrections log records the trade and the reason. review/reinstate.h takes a
 * withdrawal back.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"

struct db;

struct withdraw_result {
    size_t trades;      /* newly withdrawn */
    int64_t change_seq; /* of the change notice that running servers must apply */
};

/* Withdraws the trade or filing `id`. For a filing, withdraws all trades and removes it from the
 * list; the log has an entry for each trade and one for the filing. ERR_NOT_FOUND: neither exists.
 * ERR_EXISTS: already withdrawn. ERR_INVALID: no reason given. */
enum err withdraw(
    struct db *db, struct str id, struct str by, struct str reason, int64_t now_ms,
    struct withdraw_result *ret, struct fail *fail);

/* Withdraws one trade inside the caller's review_transaction: log entry and notice. */
enum err withdraw_within(
    struct db *db, struct str trade_id, struct str by, struct str reason, int64_t now_ms,
    int64_t *ret_change_seq, struct fail *fail);
