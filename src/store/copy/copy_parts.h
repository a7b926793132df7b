/*
 * The steps of a copy (copy.h). Private to src/store/copy.
 *
 * Once the triggers exist, each change of a source row is noted in copy_change in the same
 * transaction. So in any snapshot of the source, a row of a filled target differs from the source
 * only if its key is noted in copy_change.
 */
#pragma once

#include "base/progress_hook.h"
#include "store/copy/copy.h"
#include "store/copy/copy_row.h"

struct copy_work {
    struct db *from, *to;
    struct arena *arena; /* lives as long as the connections */
    struct copy_schema schema;
    int applied;                          /* the newest migration of the source, as it was read */
    const struct progress_hook *progress; /* may be NULL */
    int64_t done, total;                  /* rows, of the phase */
    struct str id;                        /* of the marks; a comparison has none */
    bool cancelled;                       /* copy_source_check found another mark, or none */
    unsigned target_connection;           /* the one that has the lock */
};

/* The source */

/* In a transaction on the source: ERR_REFUSED if the copy was cancelled, because later changes are
 * not noted, or if it is in another state than `state` (COPY_NONE: any state). */
enum err copy_source_check(struct copy_work *work, enum copy_state state, struct fail *fail);
/* The same: ERR_REFUSED if a migration ran since the schema was read. A new column would be missing
 * in the copy. */
enum err copy_source_check_schema(struct copy_work *work, struct fail *fail);
/* Begins a transaction on the closed source; until it ends, no other program can reopen the
 * source. */
enum err copy_source_hold(struct copy_work *work, struct fail *fail);

/* Begins a transaction that sees one snapshot of the source. PostgreSQL: it can also delete notes.
 */
enum err copy_snapshot_begin(struct db *from, struct fail *fail);

/* Fills all tables of the target in the order of keys; continues after the last copied row of
 * each. */
enum err copy_fill(struct copy_work *work, struct fail *fail);

/* The keys that are noted in the open snapshot of the source, each once. */
struct copy_changes {
    struct copy_changed {
        const struct copy_table *table;
        struct str key;
    } * items;
    size_t count;
    int64_t last; /* the number of the newest note */
};

/* Of one table, or (NULL) of all. Everything lives in the arena. */
enum err copy_changes_read(
    struct copy_work *work, const struct copy_table *table, struct arena *arena,
    struct copy_changes *ret, struct fail *fail);

/* Copies these rows from the source to the target, inside a transaction on the target. Deletes all
 * old rows before it inserts the first new one, to avoid conflicts of unique values. */
enum err copy_changes_apply(
    struct copy_work *work, const struct copy_changes *changes, struct fail *fail);

/* Compares these rows in both databases: ERR_CORRUPT names one that differs. */
enum err copy_changes_compare(
    struct copy_work *work, const struct copy_changes *changes, struct fail *fail);

/* Copies the noted rows, and deletes their notes in the source. *ret_count: rows. If `ret` is not
 * NULL, then compares both databases in the same snapshot. ERR_REFUSED: the copy was cancelled. */
enum err copy_follow(
    struct copy_work *work, struct copy_report *ret, int64_t *ret_count, struct fail *fail);

/* Compares all rows of both; both have a snapshot open. */
enum err copy_compare_all(struct copy_work *work, struct copy_report *ret, struct fail *fail);

/* The target */

/* Locks the target against other copies until this connection ends (PostgreSQL). ERR_BUSY: another
 * copy has the lock. SQLite: the caller holds the server's lock. */
enum err copy_target_lock(struct copy_work *work, struct fail *fail);
/* Begins a transaction. ERR_UNAVAILABLE: the connection with the lock was lost. */
enum err copy_target_begin(struct copy_work *work, struct fail *fail);
/* ERR_EXISTS: the target has rows that no migration wrote. */
enum err copy_target_expect_empty(struct copy_work *work, struct fail *fail);
/* The same; then deletes the rows that migrations wrote, and marks the target. */
enum err copy_target_claim(struct copy_work *work, const struct copy_mark *mark, struct fail *fail);
/* After the target was filled: enables foreign keys, checked at the end of transactions. */
enum err copy_target_tie(struct copy_work *work, struct fail *fail);
/* Advances its sequences, checks foreign keys immediately again, and marks it as whole. */
enum err copy_target_finish(
    struct copy_work *work, const struct copy_mark *mark, struct fail *fail);
