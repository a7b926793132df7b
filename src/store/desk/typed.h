/*
 * What a person typed into a form and has not saved, so that an expired claim, a closed window or a
 * lost connection loses no words. One text for each account and place; the newest replaces it.
 */
#pragma once

#include "db/db.h"

enum {
    TYPED_MAX = 200, /* places of an account; the oldest make room */
    TYPED_KEPT_MS = 14 * 24 * 60 * 60 * 1000,
};

struct typed {
    struct str body; /* application/x-www-form-urlencoded */
    int64_t at;
};

enum err typed_put(
    struct db *db, int64_t account_no, struct str place, struct str body, int64_t now_ms,
    struct fail *fail);

/* ERR_NOT_FOUND: nothing is kept. The text lives in the arena. */
enum err typed_find(
    struct db *db, int64_t account_no, struct str place, struct arena *arena, struct typed *ret,
    struct fail *fail);

struct typed_places {
    struct str *items;
    size_t count;
};

/* The places of the account that are `path`, or below it ("PATH/..."), in order; in the arena. */
enum err typed_list(
    struct db *db, int64_t account_no, struct str path, struct arena *arena,
    struct typed_places *ret, struct fail *fail);

/* Forgets it, if there is any. */
enum err typed_drop(struct db *db, int64_t account_no, struct str place, struct fail *fail);

/* Forgets everything of an account. */
enum err typed_drop_all(struct db *db, int64_t account_no, struct fail *fail);

/* Deletes what is older than TYPED_KEPT_MS; at most `limit`. */
enum err typed_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail);
