/* Runs operations on workers; see deferred.h. */
#include "api/deferred.h"

#include "api/context.h"
#include "api/reply.h"
#include "base/log.h"
#include "store/db/store.h"

struct worker {
    struct str url;
    struct db *db; /* NULL: not open */
};

static enum err open_store(struct worker *worker, struct fail *fail)
{
    return worker->db ? OK : store_open(worker->url, STORE_READ, &worker->db, fail);
}

/* Opens the store at the start, before clients can use up the descriptors. */
void *deferred_worker_start(void *ctx)
{
    const struct api *api = ctx;
    struct worker *worker = MEM_NEW(struct worker);
    struct fail fail;
    worker->url = api->config.database;
    enum err err = open_store(worker, &fail);
    if (err)
        log_line(
            LOG_WARN, "a worker cannot open the store yet", LOG_S("reason", str_from(fail.text)));
    return worker;
}

void deferred_worker_stop(void *ctx, void *worker_ctx)
{
    struct worker *worker = worker_ctx;
    db_close(worker->db);
    mem_free(worker);
}

/* Runs the operation in one snapshot, so that its reads are consistent. */
static enum err fetch(struct worker *worker, struct api_call *call, struct fail *fail)
{
    enum err err = open_store(worker, fail);
    if (!err)
        err = db_begin_read(worker->db, fail);
    if (err)
        return err;
    err = call->operation->fetch(call, worker->db, fail);
    db_rollback(worker->db); /* nothing was written */
    return err;
}

static void work(struct http_exchange *x, void *worker_ctx)
{
    struct api_call *call = http_data(x);
    struct fail fail = {0};
    enum err err = fetch(worker_ctx, call, &fail);
    if (!err)
        return;
    log_line(
        LOG_WARN, "a request failed in the store", LOG_S("reason", str_from(fail.text)),
        LOG_S("id", http_id(x)));
    reply_error(
        call, err == ERR_CORRUPT ? ERROR_INTERNAL_ERROR : ERROR_SERVICE_UNAVAILABLE, STR_NULL);
}

bool deferred_start(struct api_call *call, void (*done)(struct http_exchange *x))
{
    return http_defer(call->x, work, done);
}

void deferred_answer(struct api_call *call)
{
    if (call->error == ERROR_COUNT)
        reply_complete(call, MEDIA_JSON);
}
