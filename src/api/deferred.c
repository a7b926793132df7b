/* Runs operations on workers; see deferred.h. */
#include "api/deferred.h"

#include "api/context.h"
#include "api/reply.h"
#include "base/log.h"
#include "db/db_reader.h"

/* Opens the store at the start, before clients can use up the descriptors. */
void *deferred_worker_start(void *ctx)
{
    const struct api *api = ctx;
    struct db_reader *reader = db_reader_create(api->config.database, api->config.store_lost);
    struct fail fail;
    if (db_reader_open(reader, &fail) != OK)
        log_line(
            LOG_WARN, "a worker cannot open the store yet", LOG_S("reason", str_from(fail.text)));
    return reader;
}

void deferred_worker_stop(void *ctx, void *worker)
{
    db_reader_destroy(worker);
}

/* Runs the operation in one snapshot, so that its reads are consistent. */
static enum err fetch(struct db_reader *reader, struct api_call *call, struct fail *fail)
{
    struct db *db;
    TRY(db_reader_begin(reader, &db, fail));
    enum err err = call->operation->fetch(call, db, fail);
    db_reader_end(reader);
    return err;
}

void deferred_run(struct api_call *call, void *worker)
{
    struct fail fail = {0};
    if (call->operation->run) {
        call->operation->run(call, worker);
        return;
    }
    enum err err = fetch(worker, call, &fail);
    if (!err)
        return;
    log_line(
        LOG_WARN, "a request failed in the store", LOG_S("reason", str_from(fail.text)),
        LOG_S("id", http_id(call->x)));
    reply_error(
        call, err == ERR_CORRUPT ? ERROR_INTERNAL_ERROR : ERROR_SERVICE_UNAVAILABLE, STR_NULL);
}

static void work(struct http_exchange *x, void *worker)
{
    deferred_run(http_data(x), worker);
}

bool deferred_start(struct api_call *call, void (*done)(struct http_exchange *x))
{
    return http_defer(call->x, work, done);
}

void deferred_answer(struct api_call *call)
{
    if (call->error == ERROR_COUNT && !call->operation->run)
        reply_complete(call, MEDIA_JSON);
}
