/* The number of requests that a caller drew in a UTC month (decision 26). One row per caller and
 * month. */
#pragma once

#include "db/db.h"

enum month_count_kind { MONTH_COUNT_KEY, MONTH_COUNT_ADDRESS };

enum { MONTH_COUNT_KEPT = 13 }; /* months */

/* Inside a write transaction: adds the draws made here (negative: given back). *ret_used (may be
 * NULL) is the row's count afterwards, including other processes' draws, never below 0. `caller` is
 * bytes: a key's number, or an address hash. */
enum err month_count_add(
    struct db *db, enum month_count_kind kind, struct str caller, int32_t month, int64_t delta,
    int64_t *ret_used, struct fail *fail);

/* One row of month_count_add_all; both pointers are borrowed. */
struct month_count_draw {
    enum month_count_kind kind;
    struct str caller; /* at most MONTH_COUNT_CALLER_MAX bytes */
    int32_t month;
    int64_t delta; /* at least 0 */
    int64_t *ret_used;
};

enum { MONTH_COUNT_ADD_MAX = 500, MONTH_COUNT_CALLER_MAX = 32 };

/* month_count_add for at most MONTH_COUNT_ADD_MAX different rows, in their order: one statement on
 * PostgreSQL, where each one is a round trip. */
enum err month_count_add_all(
    struct db *db, const struct month_count_draw *draws, size_t n, struct fail *fail);

/* Deletes one row; a missing row is fine. */
enum err month_count_remove(
    struct db *db, enum month_count_kind kind, struct str caller, int32_t month, struct fail *fail);

typedef void month_count_visit(
    void *ctx, enum month_count_kind kind, struct str caller, int64_t used);
enum err month_count_each(
    struct db *db, int32_t month, month_count_visit *visit, void *ctx, struct fail *fail);

/* The count of a key as of the last flush of all servers; 0 without a row. */
enum err month_count_of_key(
    struct db *db, int64_t key_no, int32_t month, int64_t *ret_used, struct fail *fail);

/* Deletes keys' counts older than MONTH_COUNT_KEPT months before `month`, and addresses' counts of
 * any earlier month: their hashes change with the month and can never match again. */
enum err month_count_prune(struct db *db, int32_t month, struct fail *fail);

/* The months of one key, newest first. */
typedef void month_count_month(void *ctx, int32_t month, int64_t used);
enum err month_count_months_of(
    struct db *db, int64_t key_no, month_count_month *visit, void *ctx, struct fail *fail);
