/* /corrections.csv: everything that changed after publication, in the names and values of the API.
 */
#include "site/data/corrections_csv.h"

#include "base/log.h"
#include "db/db_reader.h"
#include "http/bounds.h"
#include "site/data/corrections_query.h"
#include "site/data/list_csv.h"
#include "site/data/list_forms.h"
#include "site/frame/handlers.h"
#include "site/frame/reader.h"

/* Lists of the store as CSV. */

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

enum { PART_ROWS = 250 };

/* The rows after `range.before_*` are not read yet. */
struct corrections_csv {
    struct correction_range range;
    struct buf *to; /* of the part that is being read */
    int64_t read;   /* rows of that part */
};

static struct str id_of(int64_t no, struct buf *space)
{
    buf_fmt(space, "correction-%lld", (long long)no);
    return buf_view(space);
}

/* Damaged entries are not served: /corrections logs them. */
static void put_row(void *ctx, const struct correction *c)
{
    struct corrections_csv *list = ctx;
    struct list_csv_line line = {.to = list->to};
    char space[32];
    struct buf id = buf_over(space, sizeof space);
    list->read++;
    list->range.before_at = c->at;
    list->range.before_no = c->no;
    if (c->damaged)
        return;
    list_csv_text(&line, id_of(c->no, &id));
    list_csv_text(&line, c->trade_id);
    list_csv_text(&line, c->filing_id);
    list_csv_instant(&line, c->at);
    list_csv_text(&line, correction_kind_name(c->kind));
    list_csv_text(&line, c->field);
    list_csv_text(&line, c->old);
    list_csv_text(&line, c->new);
    list_csv_text(&line, c->reason);
    list_csv_end(&line);
}

static enum err put(void *ctx, struct db *db, struct buf *b, bool *ret_more, struct fail *fail)
{
    struct corrections_csv *list = ctx;
    struct correction_range range = list->range;
    list->to = b;
    list->read = 0;
    TRY(correction_each(db, &range, PART_ROWS, put_row, list, fail));
    *ret_more = list->read == PART_ROWS;
    return OK;
}

enum err corrections_csv_load(struct page_call *call, struct fail *fail)
{
    struct corrections_csv *list = ARENA_NEW(call->arena, struct corrections_csv);
    struct list_query query;
    if (!list_csv_may(call, fail))
        return OK;
    if (!corrections_query_read(call, STR("/corrections.csv"), &query, &list->range))
        return list_forms_fault(call, STR("/corrections"), fail);
    list->range.seen_before_ms = reader_before(call);
    return list_csv_stored_reply(
        call,
        &(struct list_csv_stored){
            .name = "corrections",
            .header = STR("id,trade_id,filing_id,at,kind,field,old,new,reason\r\n"),
            .list = list,
            .put = put,
        },
        fail);
}
