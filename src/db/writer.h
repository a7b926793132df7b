/*
 * The only writing thread of a server. Callers post jobs. On SQLite, waiting jobs of one class
 * share one transaction and one fsync, each under its own savepoint, so that a job that fails rolls
 * back alone. On PostgreSQL each job is a transaction: other servers write too, and two groups
 * whose jobs lock the same rows in different orders would deadlock. A job's result is reported
 * after the commit, never before.
 *
 * Classes are served in order, but none waits for more than 32 groups of others, so that a long
 * backlog of webhooks does not block heartbeats and counts. A full disk or an unavailable database
 * fails the jobs. Any other commit error is logged and ends the process, because the durable state
 * is then unknown. On a full disk the writer releases the reserve beside an SQLite file
 * (ballast.h), so that later jobs succeed.
 */
#pragma once

#include "db/db.h"

enum writer_class {
    WRITER_PUBLISH, /* publications, keys, accounts, endpoints */
    WRITER_OUTCOME, /* results of deliveries */
    WRITER_COUNT,   /* month counts, last use of keys, heartbeats */
    WRITER_SWEEP,   /* recomputed conflict fields */
    WRITER_CLASS_COUNT
};

enum {
    WRITER_GROUP_MAX = 64,    /* jobs in one commit, on SQLite */
    WRITER_QUEUE_MAX = 10000, /* jobs waiting in one class */
};

struct writer;

/* Runs inside the transaction, on the writer thread. It must not begin, commit or roll back. */
typedef enum err writer_run(struct db *db, void *ctx, struct fail *fail);
/* Runs after the commit or the failure, on the writer thread. */
typedef void writer_done(void *ctx, enum err err, const struct fail *fail);

struct writer_config {
    struct str url;
    void (*committed)(void *ctx); /* after each commit, before the jobs' done; may be NULL */
    void *ctx;
    bool reserve; /* keep reserved disk space beside an SQLite file */
};

enum err writer_start(const struct writer_config *config, struct writer **ret, struct fail *fail);

/* Queues the job, from any thread; `done` may be NULL. ERR_BUSY: the queue is full.
 * ERR_UNAVAILABLE: the writer is stopping. On an error neither function is called. */
enum err writer_post(
    struct writer *w, enum writer_class class, writer_run *run, writer_done *done, void *ctx);

/* Posts the job and waits for its result. Not from the writer thread. */
enum err writer_call(
    struct writer *w, enum writer_class class, writer_run *run, void *ctx, struct fail *fail);

/* Runs the waiting jobs, ends the thread and frees the writer. NULL is ignored. */
void writer_stop(struct writer *w);

struct writer_stats {
    uint64_t commits, jobs, failed;
    size_t waiting;
};
struct writer_stats writer_stats(const struct writer *w);

/*
 * Reserved disk space: a file of BALLAST_SIZE beside an SQLite database (PATH.ballast). SQLite
 * needs space to free space, because a checkpoint and even a DELETE write first. When the disk is
 * full, the writer releases the ballast, and the write-ahead log can be checkpointed. The ballast
 * is created again when the disk has room for twice its size. It stays when the server stops.
 *
 * The writer thread owns it and logs each change once. Not thread-safe.
 */

enum { BALLAST_SIZE = 16 * 1024 * 1024 };

struct ballast;
