/*
 * Changing what is public (decision 29): a corrected field keeps the trade's id and disclosedAt,
 * and the append-only log keeps what it was, what it is, who changed it and why. No event fires.
 */
#pragma once

#include "core/row_field.h"

struct db;

struct correct_result {
    size_t fields;      /* that changed */
    int64_t change_seq; /* of the notice: what running servers must have taken in */
};

/* `values` in place of what is public of the trade: one log entry per field that differs, and the
 * notice. Inside a write transaction. */
enum err correct_values(
    struct db *db, struct str trade_id, const struct row_values *old, const struct row_values *new,
    struct str by, struct str reason, int64_t now_ms, struct correct_result *ret,
    struct fail *fail) MUST_CHECK;

/* One field, in a transaction of its own. ERR_NOT_FOUND: no public trade. ERR_EXISTS: it says so
 * already. ERR_INVALID: no such field, not a value of it, or no reason. */
enum err correct(
    struct db *db, struct str trade_id, struct str field, struct str value, struct str by,
    struct str reason, int64_t now_ms, struct correct_result *ret, struct fail *fail) MUST_CHECK;
