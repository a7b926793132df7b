/*
 * A job of the loop's for the writer: it goes out, is run in a transaction, and comes back to the
 * loop. Neither thread waits for the other: what the job works on belongs to the writer while it is
 * out, and to the loop otherwise.
 */
#pragma once

#include <pthread.h>
#include <uv.h>

#include "store/db/writer.h"

struct errand {
    struct writer *writer;
    enum writer_class class;
    writer_run *run; /* with ctx */
    void *ctx;
    uv_async_t *wake; /* sent when it has come back */

    bool is_out; /* the loop's, as err and fail once it is back */
    enum err err;
    struct fail fail;

    pthread_mutex_t lock; /* of is_back; held while wake is sent, so that it may end afterwards */
    bool is_back;
};

void errand_init(
    struct errand *errand, struct writer *writer, enum writer_class class, writer_run *run,
    void *ctx, uv_async_t *wake);
void errand_finish(struct errand *errand); /* not while it is out */

/* Not while it is out. When the writer does not take it, it comes back with the reason. */
void errand_go(struct errand *errand);

/* True once after it came back, with what became of it in err and fail. */
bool errand_take_back(struct errand *errand);
