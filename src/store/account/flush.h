/*
 * Flushes: counts of the memory that are written to the database now and then. A flush writes into
 * the caller's transaction, or into its own, and keeps what it wrote until that has ended.
 *
 * A server that loses PostgreSQL during a commit cannot know whether the commit happened. So a
 * flush with counts writes a mark in the same transaction, which answers that later; no count is
 * written twice. One row per server; deleted at a clean stop.
 */
#pragma once

#include <pthread.h>

#include "db/db.h"

enum { FLUSH_SERVER_SIZE = 16 };

/* What a flush writes. All are called with the lock of the flush. */
struct flush_kind {
    /* True: there is nothing to write. NULL: nobody knows before `write`. */
    bool (*is_idle)(const void *owner, const void *now);
    /* Takes and writes what is new, and calls flush_mark for counts. *ret_any, which is true, is
     * set to false if nothing was written. */
    enum err (*write)(
        void *owner, const void *now, struct db *db, bool *ret_any, struct fail *fail);
    /* The transaction has ended. An error: what was taken is to be written again. */
    void (*settle)(void *owner, enum err err);
};

struct flush {
    const struct flush_kind *kind;
    void *owner;
    pthread_mutex_t lock; /* serializes flushes */
    bool pending;         /* written into a transaction that has not ended yet */
    bool in_doubt;        /* the connection was lost during the commit: the mark decides */
    int64_t no;           /* of the last mark */
    char server[FLUSH_SERVER_SIZE]; /* the owner of the mark: a name that no other server has */
};

void flush_init(struct flush *flush, const struct flush_kind *kind, void *owner);
void flush_finish(struct flush *flush);

/* Writes what is new; `now` is for the functions of the kind. If db is in a transaction, writes
 * into it, and the caller reports its result with flush_done; without such a report the next flush
 * assumes that it was committed. Otherwise uses its own transaction. After an error everything is
 * written by the next flush. */
enum err flush_run(struct flush *flush, const void *now, struct db *db, struct fail *fail);
void flush_done(struct flush *flush, enum err err);

/* Sets the mark of the flush that is written; for flush_kind.write. SQLite needs none: a failed
 * commit changed nothing, because a server ends if that is in doubt. */
enum err flush_mark(struct flush *flush, struct db *db, struct fail *fail);
/* At a clean stop. */
enum err flush_remove_mark(const struct flush *flush, struct db *db, struct fail *fail);
