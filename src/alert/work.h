/* How the steps of alerts write: in small transactions of the caller's, with pauses between them.
 * The server's job (serve/alert_job.h) and tests are such callers. */
#pragma once

#include "db/writer.h"

struct alert_work {
    struct db *db; /* for reading */
    int64_t now_ms;
    /* Runs one transaction, as writer_call does, then pauses. */
    enum err (*write)(void *ctx, writer_run *run, void *run_ctx, struct fail *fail);
    /* Called between steps that take well below a second. True: end early, and the next run does
     * the rest. */
    bool (*stop)(void *ctx);
    void *ctx;
};
