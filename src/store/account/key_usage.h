/*
 * Responses per key and UTC day, and the latest errors of each key (decision 43). Servers add what
 * they counted since their last write, so that the rows are the sum of all servers.
 */
#pragma once

#include "rule/usage.h"
#include "store/row/act.h"

/* Inside a write transaction. Adds nothing for a key that the database does not have: a restored
 * backup must not stop the write of all other counts. */
enum err key_day_add(
    struct db *db, int64_t key_no, int32_t day, const struct usage_counts *counts,
    struct fail *fail);
/* Deletes the days before `day`. */
enum err key_day_prune(struct db *db, int32_t day, struct fail *fail);

/* Fills `n` days from `first`; days without a request are zero. */
enum err key_day_read(
    struct db *db, int64_t key_no, int32_t first, struct usage_counts *ret, size_t n,
    struct fail *fail);

/* The same for errors: adds errors of one key, oldest first, joins what usage_error_joins,
 * and deletes all but the latest USAGE_ERRORS_KEPT. */
enum err key_errors_add(
    struct db *db, int64_t key_no, const struct usage_error *errors, size_t n, struct fail *fail);

/* Deletes what all keys of the account were used for, and their names, which may be personal. */
enum err key_usage_erase(const struct act *act, int64_t account_no);

struct usage_error_list {
    struct usage_error *items;
    size_t count;
};

/* Newest first. */
enum err key_errors_list(
    struct db *db, int64_t key_no, struct arena *arena, struct usage_error_list *ret,
    struct fail *fail);
