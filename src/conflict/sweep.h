/*
 * The sweep (spec 2.1 rule 2): judges every public trade again and writes only the changes. It
 * walks the trades in batches of at most SWEEP_BATCH. It reads and judges a batch; if anything
 * differs, it repeats both inside a write transaction, so that it never overwrites a concurrent
 * publication or correction. If members, seats or symbols are imported while it runs, it starts
 * over with the new data. It may be stopped at any point; the next sweep does the rest.
 */
#pragma once

#include "base/progress_hook.h"
#include "db/writer.h"

enum { SWEEP_BATCH = 1000 };

struct sweep_config {
    struct db *db;  /* for reading, by the calling thread */
    int64_t now_ms; /* the time of the changes */
    /* Runs the job in a write transaction and commits, on any thread; returns when it is durable.
     * Lets more urgent writes go first. */
    enum err (*write)(void *ctx, writer_run *run, void *run_ctx, struct fail *fail);
    bool (*stop)(void *ctx); /* called between batches; NULL: never stop */
    void *ctx;
    const struct progress_hook *progress; /* gets the number of trades; NULL: none */
};

struct sweep_result {
    int64_t trades;                /* judged */
    int64_t signals;               /* judged trades that now have a signal */
    int64_t set, changed, cleared; /* signals added, with a new reason, removed */
    int64_t change_seq;            /* of the last notice; 0: nothing changed */
    bool stopped;                  /* before the end */
};

/* On an error, committed batches remain and *ret counts them. */
enum err sweep_run(const struct sweep_config *config, struct sweep_result *ret, struct fail *fail);
