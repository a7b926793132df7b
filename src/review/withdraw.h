/*
 * Withdraws published trades, and takes a withdrawal back (decision 29). A withdrawn trade leaves
 * lists and counts. A reinstated one is public again with its old id and disclosedAt, at its old
 * place in the lists, and its conflict signal is recomputed. The corrections log records both with
 * their reason.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"

struct db;

struct withdraw_result {
    size_t trades;      /* newly withdrawn, or public again */
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

/* Reinstates the trade or filing `id`, withdrawn by a person or by a published amendment. A filing
 * is reinstated with the trades that were withdrawn together with it; trades that were withdrawn
 * before stay withdrawn. ERR_NOT_FOUND: neither exists. ERR_EXISTS: it is public. ERR_REFUSED: a
 * single trade of a withdrawn filing, an unread paper filing (unread.h), or a trade that another
 * filing of the report repeats (withdraw.c). ERR_INVALID: no reason given. */
enum err reinstate(
    struct db *db, struct str id, struct str by, struct str reason, int64_t now_ms,
    struct withdraw_result *ret, struct fail *fail);
