/*
 * Undoes withdrawals (decision 29). A reinstated trade is public again with its old id and
 * disclosedAt, at its old place in the lists, and its conflict signal is recomputed. The
 * corrections log records it.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"

struct db;

struct reinstate_result {
    size_t trades;      /* public again */
    int64_t change_seq; /* of the change notice that running servers must apply */
};

/* Reinstates the trade or filing `id`, withdrawn by a person or by a published amendment. A filing
 * is reinstated with the trades that were withdrawn together with it; trades that were withdrawn
 * before stay withdrawn. ERR_NOT_FOUND: neither exists. ERR_EXISTS: it is public. ERR_REFUSED: a
 * single trade of a withdrawn filing, an unread paper filing (unread.h), or a trade that another
 * filing of the report repeats (repeated.h). ERR_INVALID: no reason given. */
enum err reinstate(
    struct db *db, struct str id, struct str by, struct str reason, int64_t now_ms,
    struct reinstate_result *ret, struct fail *fail);
