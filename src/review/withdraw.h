/*
 * Taking back what was published (decision 29): a withdrawn trade leaves lists and counts, and the
 * corrections log keeps which one it was and why. No event fires.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"

struct db;

struct withdraw_result {
    size_t trades;      /* newly withdrawn */
    int64_t change_seq; /* of the notice: what running servers must have taken in */
};

/* `id` names a trade or a filing; of a filing all trades go, and the filing leaves the list.
 * ERR_NOT_FOUND: neither. ERR_EXISTS: withdrawn already. ERR_INVALID: no reason given. */
enum err withdraw(
    struct db *db, struct str id, struct str by, struct str reason, int64_t now_ms,
    struct withdraw_result *ret, struct fail *fail) MUST_CHECK;

/* One trade inside a write transaction of the caller's: log entry and notice. */
enum err withdraw_within(
    struct db *db, struct str trade_id, struct str by, struct str reason, int64_t now_ms,
    int64_t *ret_change_seq, struct fail *fail) MUST_CHECK;
