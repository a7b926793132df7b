/*
 * `stockact copy`: copies a database into an empty one of either kind while servers use it
 * (docs/adr/0037-copy.md). From the last step on, the source refuses changes.
 *
 * A copy that was stopped or killed continues when it is run again. Open the connections with
 * STORE_COPY_SOURCE and STORE_COPY_TARGET.
 */
#pragma once

#include "base/crypto.h"
#include "db/db.h"
#include "store/copy/copy_mark.h"

struct progress_hook;

enum copy_phase {
    COPY_PHASE_FILL, /* rows */
    COPY_PHASE_COMPARE,
};

struct copy_report {
    struct copy_reported {
        struct str name;
        int64_t rows;
        uint8_t digest[SHA256_SIZE]; /* the same in both databases */
    } * tables;
    size_t table_count;
    int64_t rows;
    int64_t changed;      /* rows that changed while the copy ran, and were copied again */
    int64_t read_only_ms; /* duration of the last step */
    bool was_whole;       /* an earlier run finished this copy; this run did nothing */
};

/* Everything lives in the arena, which must outlive the connections. ERR_REFUSED: the source is
 * being moved elsewhere, or the target is a copy of another database. ERR_EXISTS: the target holds
 * data. ERR_CORRUPT: a row differs. */
enum err copy_run(
    struct db *from, struct db *to, struct arena *arena, const struct progress_hook *progress,
    struct copy_report *ret, struct fail *fail);

/* Compares two databases row by row; changes nothing. */
enum err copy_compare(
    struct db *a, struct db *b, struct arena *arena, const struct progress_hook *progress,
    struct copy_report *ret, struct fail *fail);

/* Cancels the copy: the source accepts changes again. *ret: its previous mark. ERR_NOT_FOUND: the
 * source has no mark. */
enum err copy_cancel(
    struct db *from, struct arena *arena, struct copy_mark *ret, struct fail *fail);
