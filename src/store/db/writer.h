/*
 * The one writing thread of a server. Callers post jobs; jobs of one class that wait together share
 * one transaction and one fsync, each under a savepoint of its own, so that one that fails rolls
 * back alone. A job's result is told after the commit, never before.
 *
 * Classes are served in their order. A full disk or an unavailable database fails the jobs; any
 * other commit error is logged and ends the process, because what is durable is then unknown. On a
 * full disk the reserve beside an SQLite file is released (ballast.h), so that later jobs succeed.
 */
#pragma once

#include "store/db/db.h"

enum writer_class {
    WRITER_PUBLISH, /* publications, keys, accounts, endpoints */
    WRITER_OUTCOME, /* results of deliveries */
    WRITER_COUNT,   /* month counts, last use of keys, heartbeats */
    WRITER_SWEEP,   /* recomputed conflict fields */
    WRITER_CLASS_COUNT
};

enum {
    WRITER_GROUP_MAX = 64,    /* jobs in one commit */
    WRITER_QUEUE_MAX = 10000, /* jobs waiting in one class */
};

struct writer;

/* Inside the transaction, on the writer thread. No begin, commit or rollback. */
typedef enum err writer_run(struct db *db, void *ctx, struct fail *fail);
/* After the commit or the failure, on the writer thread. */
typedef void writer_done(void *ctx, enum err err, const struct fail *fail);

struct writer_config {
    struct str url;
    void (*committed)(void *ctx); /* after each commit, before the jobs' done; may be NULL */
    void *ctx;
    bool reserve; /* hold room on the disk of an SQLite file */
};

enum err writer_start(const struct writer_config *config, struct writer **ret, struct fail *fail)
    MUST_CHECK;

/* Takes the job in, from any thread; `done` may be NULL. ERR_LIMIT: the queue is full.
 * ERR_UNAVAILABLE: stopping. On both neither function is called. */
enum err writer_post(
    struct writer *w, enum writer_class class, writer_run *run, writer_done *done,
    void *ctx) MUST_CHECK;

/* Posts and waits for the result. Not from the writer thread. */
enum err writer_call(
    struct writer *w, enum writer_class class, writer_run *run, void *ctx,
    struct fail *fail) MUST_CHECK;

/* Runs what is waiting, then ends the thread and frees. NULL is fine. */
void writer_stop(struct writer *w);

struct writer_stats {
    uint64_t commits, jobs, failed;
    size_t waiting;
};
struct writer_stats writer_stats(const struct writer *w);
