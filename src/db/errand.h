/*
 * A job that an event loop sends to the writer thread: the writer runs it in a transaction and
 * sends the result back to the loop. Neither thread waits for the other. The job's data belongs to
 * the writer while the job is out, and to the loop otherwise.
 */
#pragma once

#include <pthread.h>
#include <uv.h>

#include "db/writer.h"

struct errand {
    struct writer *writer;
    enum writer_class class;
    writer_run *run; /* with ctx */
    void *ctx;
    uv_async_t *wake; /* sent when the job has come back */

    bool is_out; /* owned by the loop, as err and fail are once the job is back */
    enum err err;
    struct fail fail;

    pthread_mutex_t lock; /* guards is_back; held while wake is sent, so that the errand can be
                             destroyed right after */
    bool is_back;
};

void errand_init(
    struct errand *errand, struct writer *writer, enum writer_class class, writer_run *run,
    void *ctx, uv_async_t *wake);
void errand_finish(struct errand *errand); /* not while it is out */

/* Do not call it while the job is out. If the writer rejects the job, it comes back with the
 * reason. */
void errand_go(struct errand *errand);

/* Returns true once after the job came back; the result is in err and fail. */
bool errand_take_back(struct errand *errand);
