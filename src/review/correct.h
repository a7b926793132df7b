/*
 * Corrects public trades (decision 29). A corrected field keeps the trade's id and disclosedAt. The
 * append-only log records the old value, the new value, the person and the reason.
 */
#pragma once

#include "paper/cell/row_field.h"

struct db;

struct correct_result {
    size_t fields;      /* number of changed fields */
    int64_t change_seq; /* of the change notice that running servers must apply */
};

/* Replaces the public values of the trade by `values`: one log entry per changed field, and the
 * notice. Call it inside a review_transaction. */
enum err correct_values(
    struct db *db, struct str trade_id, const struct row_values *old, const struct row_values *new,
    struct str by, struct str reason, int64_t now_ms, struct correct_result *ret,
    struct fail *fail);

/* Corrects one field in its own transaction. ERR_NOT_FOUND: no public trade. ERR_EXISTS: the field
 * already has that value. ERR_INVALID: unknown field, invalid value, or no reason. */
enum err correct(
    struct db *db, struct str trade_id, struct str field, struct str value, struct str by,
    struct str reason, int64_t now_ms, struct correct_result *ret, struct fail *fail);
