/* Jobs from a loop to the writer and back; see errand.h. */
#include "db/errand.h"

#include <assert.h>

#include "base/thread.h"

void errand_init(
    struct errand *errand, struct writer *writer, enum writer_class class, writer_run *run,
    void *ctx, uv_async_t *wake)
{
    *errand =
        (struct errand){.writer = writer, .class = class, .run = run, .ctx = ctx, .wake = wake};
    pthread_mutex_init(&errand->lock, NULL);
}

void errand_finish(struct errand *errand)
{
    assert(!errand->is_out);
    pthread_mutex_destroy(&errand->lock);
}

static void come_back(struct errand *errand)
{
    LOCKED(&errand->lock);
    errand->is_back = true;
    uv_async_send(errand->wake);
}

/* On the writer's thread. */
static enum err run(struct db *db, void *ctx, struct fail *fail)
{
    struct errand *errand = ctx;
    return errand->run(db, errand->ctx, fail);
}

static void done(void *ctx, enum err err, const struct fail *fail)
{
    struct errand *errand = ctx;
    errand->err = err;
    if (err)
        errand->fail = *fail;
    come_back(errand);
}

void errand_go(struct errand *errand)
{
    assert(!errand->is_out);
    errand->is_out = true;
    enum err err = writer_post(errand->writer, errand->class, run, done, errand);
    if (!err)
        return;
    errand->err = fail_set(
        &errand->fail, err,
        err == ERR_BUSY ? "too much is waiting to be written" : "the writer is stopping");
    come_back(errand);
}

bool errand_take_back(struct errand *errand)
{
    if (!errand->is_out)
        return false;
    pthread_mutex_lock(&errand->lock);
    bool is_back = errand->is_back;
    errand->is_back = false;
    pthread_mutex_unlock(&errand->lock);
    if (is_back)
        errand->is_out = false;
    return is_back;
}
