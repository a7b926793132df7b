/*
 * What keys are used for, in memory until it is written (decision 43): responses per key and UTC
 * day, and the latest errors. A response costs one atomic addition in its key's memory; an error
 * also a short lock of its key. A flush adds everything since the last one to the database
 * (store/account/key_usage.h). All functions are thread-safe.
 *
 * Memory is bounded: per key the counts of two days, those of earlier days that could not be
 * written, and USAGE_ERRORS_KEPT errors.
 */
#pragma once

#include "base/err.h"
#include "rule/usage.h"

struct db;
struct usage;
struct key_usage; /* of one key; as long as the key */

struct usage *usage_create(void);
void usage_destroy(struct usage *usage); /* NULL is ignored */

struct key_usage *key_usage_create(int64_t key_no);
void key_usage_destroy(struct key_usage *key); /* NULL is ignored */

/* Counts a response. `error` (NULL: none) is the code of its body and `path` the path as in the
 * reference (NULL: no such path); both are constant texts. */
void usage_note(
    struct usage *usage, struct key_usage *key, int64_t now_ms, int status, const char *error,
    const char *path);

/* The bound of GET /api/v1/usage: true for the first request of each second. */
bool key_usage_may_ask(struct key_usage *key, int64_t now_ms);

/* Writes what was counted since the last flush, and deletes days that are no longer kept. If db is
 * in a transaction, writes into it, and the caller reports its result with usage_flush_done;
 * without such a report the next flush assumes that it was committed. Otherwise uses its own
 * transaction. After an error everything is written by the next flush; after a lost connection
 * that flush first asks PostgreSQL whether the commit happened. */
enum err usage_flush(struct usage *usage, struct db *db, int64_t now_ms, struct fail *fail);
/* At the stop: also deletes the mark that this question needs. */
enum err usage_flush_last(struct usage *usage, struct db *db, int64_t now_ms, struct fail *fail);
void usage_flush_done(struct usage *usage, enum err err);
