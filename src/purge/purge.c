/* The thread that purges; see purge.h. */
#include "purge/purge.h"

#include <assert.h>
#include <stdio.h>
#include <uv.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "feed/trade_filter.h"
#include "net/outgoing.h"
#include "noun/filing.h"
#include "noun/trade_read.h"
#include "store/public/filing.h"
#include "store/public/finding.h"
#include "store/public/trade.h"
#include "store/run/job.h"

/* Keys of what changes. */

/* A trade or filing is on every list: rows, counts and signals of members and symbols. */
static void add_lists(struct purge_keys *keys)
{
    static const char *const lists[] = {
        "trades", "filings", "politicians", "corrections", "coverage"};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        purge_keys_add(keys, "list", str_from(lists[i]));
}

static void add_member(const struct feed *feed, struct str id, struct purge_keys *keys)
{
    struct feed_politician member;
    if (id.n && feed_politician(feed, id, 0, INSTANT_NONE, &member))
        purge_keys_add(keys, "p", member.slug);
}

static void add_trade(const struct trade *trade, struct purge_keys *keys)
{
    purge_keys_add(keys, "p", trade->politician.slug);
    purge_keys_add(keys, "f", trade_id_filing(trade->id));
    if (trade->values.ticker.n)
        purge_keys_add(keys, "t", trade->values.ticker);
}

/* Instants from the first to before the second. */
struct span {
    int64_t since_ms, until_ms;
};

/* The trades that the filter chooses; of these only those settled in the span, unless it is NULL.
 */
static void add_trades(
    const struct feed *feed, const struct feed_filter *filter, const struct span *settled,
    struct purge_keys *keys)
{
    MEM_UNFILLED struct feed_page page;
    struct arena arena;
    struct trade trade;
    bool more = true;
    struct cursor after;
    const struct cursor *from = NULL;
    while (more && !keys->all) {
        arena_init(&arena);
        feed_trades(feed, filter, from, FEED_PAGE_MAX, &page);
        for (size_t i = 0; i < page.count; i++) {
            int64_t at = page.rows[i].report.settled_at;
            if (settled && (at < settled->since_ms || at >= settled->until_ms))
                continue;
            shape_trade_read(page.rows[i].head, page.rows[i].tail, &arena, &trade);
            add_trade(&trade, keys);
        }
        after = page.next;
        from = &after;
        more = page.more;
        arena_finish(&arena);
    }
}

/* --- a notice */

static void add_filing(const struct feed *feed, struct str id, struct purge_keys *keys)
{
    struct feed_filter filter = FEED_FILTER_NONE;
    struct feed_filing found;
    struct filing filing;
    ARENA_SCOPED(arena);
    filter.filing = id;
    add_lists(keys);
    purge_keys_add(keys, "f", id);
    if (feed_filing(feed, id, INSTANT_NONE, &found)) {
        shape_filing_read(found.row.head, &arena, &filing);
        add_member(feed, filing.politician_id, keys);
    }
    add_trades(feed, &filter, NULL, keys);
}

static void add_one(const struct feed *feed, struct str id, struct purge_keys *keys)
{
    struct feed_row row;
    struct trade trade;
    ARENA_SCOPED(arena);
    add_lists(keys);
    purge_keys_add(keys, "f", trade_id_filing(id));
    if (!feed_trade(feed, id, &row))
        return;
    shape_trade_read(row.head, row.tail, &arena, &trade);
    add_trade(&trade, keys);
}

struct signals {
    const struct feed *feed;
    struct purge_keys *keys;
};

static void add_signal(void *ctx, const struct finding_trade *trade)
{
    const struct signals *signals = ctx;
    if (!signals->keys->all)
        add_one(signals->feed, trade->id, signals->keys);
}

/* Their reports wait no longer, whoever sees the trades later. */
static enum err add_waited(void *ctx, const struct filing_row *row)
{
    struct purge_keys *keys = ctx;
    purge_keys_add(keys, "p", row->politician.slug);
    purge_keys_add(keys, "f", row->filing.id);
    return OK;
}

static void add_published(struct db *db, struct str key, struct purge_keys *keys)
{
    struct fail fail;
    int64_t no;
    purge_keys_add(keys, "list", STR("coverage"));
    purge_keys_add(keys, "list", STR("politicians"));
    if (!str_to_i64(key, &no) || filing_each_of_publication(db, no, add_waited, keys, &fail))
        purge_keys_add_all(keys);
}

static void add_known(const struct feed *feed, struct str member, struct purge_keys *keys)
{
    if (!member.n)
        purge_keys_add_all(keys);
    purge_keys_add(keys, "list", STR("coverage"));
    purge_keys_add(keys, "list", STR("politicians"));
    add_member(feed, member, keys);
}

void changed_by_notice(
    const struct feed *feed, struct db *db, struct str noun, struct str key,
    struct purge_keys *keys)
{
    static const struct str everything[] = {
        STR_INIT("feed"), STR_INIT("member"), STR_INIT("ticker")};
    struct signals signals = {feed, keys};
    struct finding_lines lines;
    struct fail fail;
    RCU_READ();
    for (size_t i = 0; i < sizeof everything / sizeof *everything; i++)
        if (str_eq(noun, everything[i]))
            purge_keys_add_all(keys);
    if (str_eq(noun, STR("trades")))
        add_published(db, key, keys);
    else if (str_eq(noun, STR("known")))
        add_known(feed, key, keys);
    else if (str_eq(noun, STR("trade")))
        add_one(feed, key, keys);
    else if (str_eq(noun, STR("filing")))
        add_filing(feed, key, keys);
    else if (str_eq(noun, STR("findings")))
        if (!finding_key_parse(key, &lines) ||
            finding_each_changed(db, &lines, add_signal, &signals, &fail))
            purge_keys_add_all(keys);
}

/* --- what becomes visible */

/* A filing can be without trades. */
static void add_filings(
    const struct feed *feed, int64_t since_ms, int64_t until_ms, struct purge_keys *keys)
{
    MEM_UNFILLED struct feed_page page;
    struct feed_filings_filter filter = FEED_FILINGS_FILTER_NONE;
    struct arena arena;
    struct filing filing;
    struct feed_filing found;
    struct cursor after;
    const struct cursor *from = NULL;
    bool more = true;
    filter.until_ms = until_ms;
    while (more && !keys->all) {
        arena_init(&arena);
        feed_filings(feed, &filter, from, FEED_PAGE_MAX, &page);
        more = page.more;
        for (size_t i = 0; i < page.count; i++) {
            shape_filing_read(page.rows[i].head, &arena, &filing);
            if (feed_filing(feed, filing.id, INSTANT_NONE, &found) &&
                found.published_at < since_ms) {
                more = false;
                break;
            }
            add_lists(keys);
            purge_keys_add(keys, "f", filing.id);
            add_member(feed, filing.politician_id, keys);
        }
        after = page.next;
        from = &after;
        arena_finish(&arena);
    }
}

/* Adds the keys of what was published at `since_ms` or later, and before `until_ms`. */
static void changed_between(
    const struct feed *feed, int64_t since_ms, int64_t until_ms, struct purge_keys *keys)
{
    struct feed_filter filter = FEED_FILTER_NONE;
    const struct feed_test by_reader = {.filter = &trade_filter_by_reader};
    struct feed_filter told = FEED_FILTER_NONE;
    filter.since_ms = since_ms;
    filter.until_ms = until_ms;
    told.tests = &by_reader;
    told.test_count = 1;
    RCU_READ();
    add_filings(feed, since_ms, until_ms, keys);
    add_trades(feed, &filter, NULL, keys); /* a filing can get more trades later */
    add_trades(feed, &told, &(struct span){since_ms, until_ms}, keys);
    if (purge_keys_any(keys))
        add_lists(keys);
}

enum { RECORD_REASON_SIZE = 256 };

struct record {
    struct writer *writer;
    char *server;                    /* for people */
    char reason[RECORD_REASON_SIZE]; /* of a failure; "": it works. Not changed while `is_out` */
    _Atomic bool is_out;             /* the writer has it */
};

/* Records a failing purge. */

#define JOB job_name(JOB_PURGE)

static void note_last(void *ctx, const struct job_run *run)
{
    *(enum job_state *)ctx = run->state;
}

static struct str result_of(struct buf *b, const char *reason)
{
    struct json_out j;
    json_init(&j, b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "error", str_from(reason));
    json_object_end(&j);
    return buf_view(b);
}

/* A success is recorded only after a recorded failure, which may be from before the start. */
static enum err run(struct db *db, void *ctx, struct fail *fail)
{
    const struct record *record = ctx;
    enum job_state last = JOB_NEVER;
    int64_t now_ms = clock_wall_ms(), no;
    bool failed = record->reason[0] != '\0';
    BUF_SCOPED(b, 4 * RECORD_REASON_SIZE);
    enum err err = job_run_each(db, JOB, INT64_MAX, 1, now_ms, note_last, &last, fail);
    if (err || (!failed && last != JOB_FAILED))
        return err;
    TRY(job_run_begin(db, JOB, str_from(record->server), now_ms, &no, fail));
    return job_run_end(
        db, no, now_ms, failed, failed ? result_of(&b, record->reason) : STR_NULL, fail);
}

static void done(void *ctx, enum err err, const struct fail *fail)
{
    struct record *record = ctx;
    atomic_store(&record->is_out, false);
}

/* Posts the run. Does nothing while one is on its way: the caller tries again. True: posted. */
static bool record_post(struct record *record, const char *reason)
{
    if (atomic_load(&record->is_out))
        return false;
    snprintf(record->reason, sizeof record->reason, "%s", reason);
    atomic_store(&record->is_out, true);
    if (writer_post(record->writer, WRITER_COUNT, run, done, record) == OK)
        return true;
    atomic_store(&record->is_out, false);
    return false;
}

/* The second purge of keys. */

void purge_again_init(struct purge_again *again)
{
    *again = (struct purge_again){.due_ms = 0};
    purge_keys_init(&again->due);
    purge_keys_init(&again->later);
}

void purge_again_finish(struct purge_again *again)
{
    purge_keys_finish(&again->due);
    purge_keys_finish(&again->later);
}

void purge_again_add(struct purge_again *again, struct str batch, int64_t now_ms)
{
    purge_keys_add_batch(&again->later, batch);
    again->later_ms = now_ms + PURGE_AGAIN_MS;
}

bool purge_again_take(struct purge_again *again, int64_t now_ms, struct buf *batch)
{
    if (!purge_keys_any(&again->due)) {
        purge_keys_merge(&again->due, &again->later);
        purge_keys_reset(&again->later);
        again->due_ms = again->later_ms;
    }
    if (!purge_keys_any(&again->due) || now_ms < again->due_ms)
        return false;
    purge_keys_take(&again->due, batch);
    return true;
}

void purge_again_return(struct purge_again *again, struct str batch)
{
    purge_keys_add_batch(&again->due, batch);
}

enum {
    LOOK_MS = 200,       /* interval of looking at what has become visible */
    TIME_MAX_MS = 10000, /* of a request */
    RETRY_FIRST_MS = 250,
    RETRY_LAST_MS = 15000,
    FAILING_SAID_MS = 10000, /* a failure of this length is recorded for people */
    ANSWER_MAX = 1024,
    HEADERS_MAX = 2,
    REASON_SIZE = 256,
};

struct purge {
    struct purge_config config; /* strings: own */
    struct purge_keys before;   /* the follower's: keys of notices that are being applied */
    pthread_t thread;
    uv_async_t wake;

    pthread_mutex_t lock;
    struct purge_keys incoming; /* under lock */
    struct purge_stats stats;   /* under lock, except failing_ms */

    _Atomic bool works, stopping;
    _Atomic int64_t failing_since_ms; /* monotonic; 0: not failing */

    /* Used by the thread only. */
    uv_loop_t loop;
    uv_timer_t tick;
    struct outgoing *outgoing;
    struct outgoing_request *request; /* NULL: none is in flight */
    struct purge_keys fresh;          /* to send */
    struct purge_again again;         /* sent once */
    struct buf batch, line;           /* of the request in flight, and its header */
    bool batch_again;
    bool is_first; /* the purge of the start: nothing changed before it that could come late */
    int64_t retry_at_ms, retry_ms; /* monotonic */
    int64_t visible_ms; /* publications before this instant are visible, and their pages purged */
    struct record record;
    bool recorded; /* the state of `works` */
    char reason[REASON_SIZE];
};

/* Publications before this instant are visible. */
static int64_t visible_now(const struct purge *p)
{
    return clock_wall_ms() - p->config.delay_ms + 1;
}

/* --- keys from other threads */

static void hand_over(struct purge *p, const struct purge_keys *keys)
{
    pthread_mutex_lock(&p->lock);
    purge_keys_merge(&p->incoming, keys);
    pthread_mutex_unlock(&p->lock);
    uv_async_send(&p->wake);
}

void purge_before(struct purge *p, struct db *db, struct str noun, struct str key)
{
    changed_by_notice(p->config.feed, db, noun, key, &p->before);
}

void purge_after(struct purge *p, struct db *db, struct str noun, struct str key)
{
    changed_by_notice(p->config.feed, db, noun, key, &p->before);
    if (str_eq(noun, STR("trades"))) /* pages say that they leave something out */
        changed_between(p->config.feed, visible_now(p), INT64_MAX, &p->before);
    if (purge_keys_any(&p->before))
        hand_over(p, &p->before);
    purge_keys_reset(&p->before);
}

void purge_everything(struct purge *p)
{
    SCOPED(purge_keys_finish) struct purge_keys keys;
    purge_keys_init(&keys);
    purge_keys_add_all(&keys);
    hand_over(p, &keys);
}

static void take_incoming(struct purge *p)
{
    LOCKED(&p->lock);
    purge_keys_merge(&p->fresh, &p->incoming);
    purge_keys_reset(&p->incoming);
    p->stats.waiting = purge_keys_any(&p->fresh);
}

/* --- what becomes visible */

static void look_at_visible(struct purge *p)
{
    int64_t until_ms = visible_now(p);
    if (until_ms <= p->visible_ms)
        return;
    changed_between(p->config.feed, p->visible_ms, until_ms, &p->fresh);
    p->visible_ms = until_ms;
}

/* --- sending */

static void look(struct purge *p);

static void note_success(struct purge *p)
{
    int64_t since_ms = atomic_exchange(&p->failing_since_ms, 0);
    if (since_ms)
        log_line(
            LOG_INFO, "the cache is purged again", LOG_I("after_ms", clock_mono_ms() - since_ms));
    p->retry_ms = 0;
    p->recorded = p->recorded && atomic_load(&p->works);
    p->reason[0] = '\0';
    atomic_store(&p->works, true);
}

static void note_failure(struct purge *p, const char *reason)
{
    int64_t now_ms = clock_mono_ms();
    snprintf(p->reason, sizeof p->reason, "%s", reason);
    if (!p->retry_ms) {
        atomic_store(&p->failing_since_ms, now_ms);
        log_line(
            LOG_ERROR, "the cache is not purged: pages are kept for a minute until it is",
            LOG_S("reason", str_from(reason)));
        p->recorded = false;
    }
    p->retry_ms = !p->retry_ms                      ? RETRY_FIRST_MS
                  : p->retry_ms * 2 < RETRY_LAST_MS ? p->retry_ms * 2
                                                    : RETRY_LAST_MS;
    p->retry_at_ms = now_ms + p->retry_ms;
    atomic_store(&p->works, false);
}

static void count(struct purge *p, bool succeeded)
{
    LOCKED(&p->lock);
    p->stats.succeeded += succeeded;
    p->stats.failed += !succeeded;
}

static void end_batch(struct purge *p, const char *reason)
{
    struct str batch = buf_view(&p->batch);
    if (reason) {
        if (p->batch_again)
            purge_again_return(&p->again, batch);
        else
            purge_keys_add_batch(&p->fresh, batch);
        note_failure(p, reason);
    } else {
        if (!p->batch_again && !p->is_first)
            purge_again_add(&p->again, batch, clock_mono_ms());
        note_success(p);
    }
    p->is_first = false;
    count(p, !reason);
}

static void on_done(void *ctx, const struct outgoing_result *result)
{
    struct purge *p = ctx;
    char reason[REASON_SIZE];
    bool ok = result->status >= 200 && result->status < 300;
    p->request = NULL;
    if (result->status)
        snprintf(reason, sizeof reason, "the cache answered %d", result->status);
    else
        snprintf(reason, sizeof reason, "%s", result->detail);
    end_batch(p, ok ? NULL : reason);
    look(p);
}

static void send_batch(struct purge *p)
{
    struct fail fail;
    buf_reset(&p->line);
    buf_text(&p->line, "Surrogate-Key: ");
    buf_str(&p->line, buf_view(&p->batch));
    const struct str headers[HEADERS_MAX] = {buf_view(&p->line), p->config.header};
    const struct outgoing_post post = {
        .url = p->config.url,
        .plain_http = true,
        .headers = headers,
        .header_count = str_is_null(p->config.header) ? 1 : HEADERS_MAX,
        .body = STR(""),
        .time_max_ms = TIME_MAX_MS,
        .answer_max = ANSWER_MAX,
        .done = on_done,
        .ctx = p,
    };
    if (outgoing_post(p->outgoing, &post, &p->request, &fail)) {
        p->request = NULL;
        end_batch(p, fail.text);
    }
}

/* Sends what is due. */
static void look(struct purge *p)
{
    int64_t now_ms = clock_mono_ms();
    take_incoming(p);
    if (p->request || (p->retry_ms && now_ms < p->retry_at_ms) || atomic_load(&p->stopping))
        return;
    p->batch_again = !purge_keys_any(&p->fresh);
    if (!p->batch_again)
        purge_keys_take(&p->fresh, &p->batch);
    else if (!purge_again_take(&p->again, now_ms, &p->batch))
        return;
    send_batch(p);
}

/* --- the loop */

static void close_loop(struct purge *p)
{
    if (p->request)
        outgoing_cancel(p->request);
    p->request = NULL;
    outgoing_destroy(p->outgoing);
    uv_close((uv_handle_t *)&p->tick, NULL);
    uv_close((uv_handle_t *)&p->wake, NULL);
}

static void on_wake(uv_async_t *wake)
{
    struct purge *p = wake->data;
    if (atomic_load(&p->stopping))
        close_loop(p);
    else
        look(p);
}

/* The first success, and a failure that lasts, or its end. */
static void record_state(struct purge *p)
{
    int64_t since_ms = atomic_load(&p->failing_since_ms);
    bool lasts = since_ms && clock_mono_ms() - since_ms >= FAILING_SAID_MS;
    if (!p->recorded && (lasts || atomic_load(&p->works)))
        p->recorded = record_post(&p->record, p->reason);
}

static void on_tick(uv_timer_t *tick)
{
    struct purge *p = tick->data;
    look_at_visible(p);
    look(p);
    record_state(p);
}

static void *purge_thread(void *ctx)
{
    struct purge *p = ctx;
    rcu_thread_start();
    uv_run(&p->loop, UV_RUN_DEFAULT);
    rcu_thread_stop();
    return NULL;
}

/* --- start and stop */

static void copy_texts(struct purge *p)
{
    struct purge_config *c = &p->config;
    c->url = str_from(mem_strdup(c->url));
    c->header = str_is_null(c->header) ? STR_NULL : str_from(mem_strdup(c->header));
    p->record = (struct record){.writer = c->writer, .server = mem_strdup(c->label)};
    c->user_agent = c->label = STR_NULL;
}

static void destroy(struct purge *p)
{
    int error = uv_loop_close(&p->loop);
    assert(error == 0);
    purge_keys_finish(&p->before);
    purge_keys_finish(&p->incoming);
    purge_keys_finish(&p->fresh);
    purge_again_finish(&p->again);
    buf_finish(&p->batch);
    buf_finish(&p->line);
    pthread_mutex_destroy(&p->lock);
    mem_free((char *)(uintptr_t)p->config.url.p);
    mem_free((char *)(uintptr_t)p->config.header.p);
    mem_free(p->record.server);
    mem_free(p);
}

static void init(struct purge *p)
{
    purge_keys_init(&p->before);
    purge_keys_init(&p->incoming);
    purge_keys_init(&p->fresh);
    purge_again_init(&p->again);
    buf_init(&p->batch, PURGE_BATCH_BYTES + 1);
    buf_init(&p->line, PURGE_BATCH_BYTES + 64);
    pthread_mutex_init(&p->lock, NULL);
    uv_async_init(&p->loop, &p->wake, on_wake);
    uv_timer_init(&p->loop, &p->tick);
    p->wake.data = p->tick.data = p;
    uv_timer_start(&p->tick, on_tick, 0, LOOK_MS);
    p->visible_ms = visible_now(p);
    p->is_first = true;
    purge_keys_add_all(&p->incoming);
}

enum err purge_start(const struct purge_config *config, struct purge **ret, struct fail *fail)
{
    struct purge *p = MEM_NEW(struct purge);
    const struct outgoing_config outgoing = {
        .in_flight_max = 1, .idle_max = 1, .user_agent = config->user_agent};
    int error = uv_loop_init(&p->loop);
    if (error) {
        mem_free(p);
        return fail_set(fail, ERR_IO, "cannot start a loop: %s", uv_strerror(error));
    }
    p->config = *config;
    copy_texts(p);
    init(p);
    enum err err = outgoing_create(&p->loop, &outgoing, &p->outgoing, fail);
    if (!err)
        err = thread_start(&p->thread, purge_thread, p, "purges", fail);
    if (err) {
        close_loop(p);
        uv_run(&p->loop, UV_RUN_DEFAULT);
        destroy(p);
        return err;
    }
    *ret = p;
    return OK;
}

static enum err nothing(struct db *db, void *ctx, struct fail *fail)
{
    return OK;
}

void purge_stop(struct purge *p)
{
    struct fail fail;
    if (!p)
        return;
    atomic_store(&p->stopping, true);
    uv_async_send(&p->wake);
    pthread_join(p->thread, NULL);
    /* a record on its way is done before this job of its class */
    if (atomic_load(&p->record.is_out) &&
        writer_call(p->config.writer, WRITER_COUNT, nothing, NULL, &fail))
        log_line(
            LOG_WARN, "a run of the purge is not recorded", LOG_S("reason", str_from(fail.text)));
    destroy(p);
}

bool purge_works(const struct purge *p)
{
    return atomic_load(&p->works);
}

void purge_stats(struct purge *p, struct purge_stats *ret)
{
    int64_t since_ms = atomic_load(&p->failing_since_ms);
    pthread_mutex_lock(&p->lock);
    *ret = p->stats;
    pthread_mutex_unlock(&p->lock);
    ret->failing_ms = since_ms ? clock_mono_ms() - since_ms : 0;
}
