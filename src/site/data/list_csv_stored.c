/* Lists of the store as CSV; see list_csv_stored.h. */
#include "site/data/list_csv_stored.h"

#include "base/log.h"
#include "db/db_reader.h"
#include "http/bounds.h"
#include "site/data/list_csv.h"

enum { RETRY_MS = 500 }; /* after the queue of the workers was full */

/* Belongs to the worker while it reads a part, else to the loop. */
struct csv_run {
    struct list_csv_stored csv;
    struct buf part; /* read, and not sent yet */
    bool more;       /* there may be another part */
    bool failed;
};

static enum err read_part(struct csv_run *run, struct db *db, struct fail *fail)
{
    run->more = false;
    return run->csv.put(run->csv.list, db, &run->part, &run->more, fail);
}

static void work(struct http_exchange *x, void *worker)
{
    struct csv_run *run = page_stream_ctx(x);
    struct fail fail = {0};
    struct db *db;
    enum err err = db_reader_begin(worker, &db, &fail);
    if (!err) {
        err = read_part(run, db, &fail);
        db_reader_end(worker);
    }
    run->failed = err != OK;
    if (err)
        log_line(
            LOG_WARN, "a download was cut", LOG_S("reason", str_from(fail.text)),
            LOG_S("list", str_from(run->csv.name)), LOG_S("id", http_id(x)));
}

static enum http_stream_next turn(struct http_exchange *x, struct buf *out)
{
    struct csv_run *run = page_stream_ctx(x);
    if (run->failed || run->part.overflow) {
        out->overflow = true;
        return HTTP_STREAM_END;
    }
    if (run->part.n == 0 && run->more)
        return http_defer_to(x, HTTP_LANE_PAGES, work, http_stream_resume) ? HTTP_STREAM_WAIT
                                                                           : HTTP_STREAM_REST;
    buf_str(out, buf_view(&run->part));
    buf_reset(&run->part);
    return run->more ? HTTP_STREAM_MORE : HTTP_STREAM_END;
}

static void ended(struct http_exchange *x)
{
    struct csv_run *run = page_stream_ctx(x);
    buf_finish(&run->part);
}

/* The empty heartbeat is a turn that tries again. */
static const struct http_streamer streamer = {
    .turn = turn, .ended = ended, .heartbeat_ms = RETRY_MS, .finite = true};

enum err list_csv_stored_reply(
    struct page_call *call, const struct list_csv_stored *csv, struct fail *fail)
{
    struct csv_run *run = ARENA_NEW(call->arena, struct csv_run);
    *run = (struct csv_run){.csv = *csv};
    buf_init(&run->part, HTTP_REPLY_MAX);
    buf_str(&run->part, csv->header);
    enum err err = read_part(run, call->db, fail);
    if (err)
        buf_finish(&run->part);
    else
        list_csv_stream(call, &streamer, run, csv->name);
    return err;
}
