/*
 * The sweep (spec 2.1 rule 2): every public trade judged anew, and only what changed written. It
 * goes over the trades in stretches of at most SWEEP_STRETCH: reads one, judges it, and where
 * anything differs does the same again inside a write transaction, so that a publication or a
 * correction in between is never overwritten. Where members, seats or symbols are imported while it
 * runs, it begins again with what they are now. Ended at any point it has done what it has done;
 * the next one finds the rest.
 */
#pragma once

#include "store/db/writer.h"

enum { SWEEP_STRETCH = 1000 };

struct sweep_config {
    struct db *db;  /* reads; of the calling thread */
    int64_t now_ms; /* of the changes */
    /* Runs it in a write transaction and commits, on whatever thread; returns when it is durable.
     * Whoever has more urgent writes lets them go first. */
    enum err (*write)(void *ctx, writer_run *run, void *run_ctx, struct fail *fail);
    bool (*stop)(void *ctx); /* asked between stretches; NULL: never */
    void *ctx;
};

struct sweep_result {
    int64_t trades;                /* judged */
    int64_t signals;               /* of them with a signal now */
    int64_t set, changed, cleared; /* signals that came, have another reason, went */
    int64_t change_seq;            /* of the last notice; 0: nothing changed */
    bool stopped;                  /* before the end */
};

/* On an error what was written stays and *ret tells how far it came. */
enum err sweep_run(const struct sweep_config *config, struct sweep_result *ret, struct fail *fail)
    MUST_CHECK;
