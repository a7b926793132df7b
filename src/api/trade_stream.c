/*
 * GET /api/v1/trades/stream: newly published trades as server-sent events, oldest first; and GET
 * /api/v1/export: all trades of a filter as a file, newest first (decision 51). A stream has a
 * place in the feed and no memory of what it sent, so a client continues at any server, after a
 * restart too, with the id of its last event or row.
 */
#include <string.h>
#include <unistd.h>

#include "api/context.h"
#include "api/drawer.h"
#include "api/list.h"
#include "api/resources.h"
#include "api/stream_slots.h"
#include "api/trades.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/thread.h"
#include "edge/access_log.h"
#include "feed/feed_after.h"
#include "http/accept_encoding.h"
#include "http/gzip.h"
#include "record/record_rows.h"
#include "noun/trade_read.h"

enum {
    HEARTBEAT_MS = 15000,
    EVENTS_PER_DRAW = 100,
    PIECE_SIZE = 16 * 1024, /* of one turn, about */
    RETRY_MS = 2000,        /* and up to as much again: the streams of a server end together */
    RETRY_MAX_MS = 3600000,
    CALLER_FULL_RETRY_S = 10,
    ROWS_PER_DRAW = 1000,
    ROWS_OF_PIECE = FEED_PAGE_MAX,
    WAIT_STEP_MS = 1000,
    EXPORT_NICE = 10,
};

struct trade_stream {
    struct api_call *call;
    enum http_stream_next (*go_on)(struct trade_stream *s, struct buf *out); /* of its kind */
    struct stream_slots *slots;
    struct stream_slot slot;
    struct feed_filter filter;
    struct feed_test tests[PARAM_TABLE_MAX];
    struct cursor place; /* all trades up to here were sent, or do not match */
    bool tells_place;    /* the first event says where the stream begins */
    bool begun;          /* the first turn is over */
    bool drawing;        /* call->window is the answer to a draw, once the stream goes on */
    uint32_t since_draw; /* events, or rows */
    /* Of an export. */
    struct record_from from;
    struct record_place at;
    bool csv;
    struct gzip_stream *gzip;  /* NULL: as it is */
    bool waiting;              /* for the next minute */
    struct trade_stream *next; /* in the queue */
    struct buf piece;
    bool made; /* `piece` is to be sent */
};

struct export_queue {
    pthread_mutex_t lock;
    pthread_cond_t some;
    pthread_t thread;
    bool started, stops;
    struct trade_stream *first, *last;
};

/* --- texts */

static void put_retry(struct buf *out, int64_t ms)
{
    buf_text(out, "retry: ");
    buf_i64(out, ms);
    buf_char(out, '\n');
}

static void put_id(struct buf *out, const struct cursor *place)
{
    buf_text(out, "id: ");
    cursor_encode(out, place);
}

static void put_event(
    struct buf *out, const struct feed_row *row, const struct cursor *place, int64_t fields)
{
    buf_text(out, "event: trade\n");
    put_id(out, place);
    buf_text(out, "\ndata: ");
    reply_row_put(out, row, fields);
    buf_text(out, "\n\n");
}

/* Clients keep only ids of events with data. */
static void put_start(const struct trade_stream *s, struct buf *out)
{
    uint64_t chance = hash_str(http_id(s->call->x)) % RETRY_MS;
    put_retry(out, RETRY_MS + (int64_t)chance);
    if (s->tells_place) {
        buf_text(out, "event: position\n");
        put_id(out, &s->place);
        buf_text(out, "\ndata: {\"lastCursor\":\"");
        cursor_encode(out, &s->place);
        buf_text(out, "\"}\n");
    }
    buf_char(out, '\n');
}

/* --- turns */

static bool may_go_on(const struct api_call *call)
{
    return !call->key ||
           (access_key_is_valid(call->key) && plan_has_api_access(access_key_plan(call->key)));
}

/* Ends the stream after a denied draw. A browser does not connect again after a 429, so `retry`
 * makes the client wait until a request is allowed. */
static enum http_stream_next judge_draw(const struct trade_stream *s, struct buf *out)
{
    const struct limits_answer *window = &s->call->window;
    if (window->verdict == LIMITS_GRANTED)
        return HTTP_STREAM_MORE;
    int64_t wait_ms = window->retry_after_s * 1000;
    buf_text(
        out, window->verdict == LIMITS_UNAVAILABLE ? ": the rate limits do not answer\n"
                                                   : ": the rate limit is used up\n");
    put_retry(out, wait_ms < RETRY_MAX_MS ? wait_ms : RETRY_MAX_MS);
    buf_char(out, '\n');
    return HTTP_STREAM_END;
}

/* On the thread of Redis. */
static void drawn_later(void *ctx, const struct limits_answer *answer)
{
    struct trade_stream *s = ctx;
    s->call->window = *answer;
    http_stream_resume(s->call->x);
}

/* False: drawn_later will have the answer. */
static bool draw(struct trade_stream *s)
{
    struct api_call *call = s->call;
    s->since_draw = 0;
    if (call->key) {
        call->plan = access_key_plan(call->key);
        drawer_of_key(call);
    }
    s->drawing = !limits_draw(
        call->api->config.limits, &call->drawer, http_now_ms(call->x), &call->window, drawn_later,
        s);
    return !s->drawing;
}

/* Appends the next trades, up to the next draw and about PIECE_SIZE. True: there may be more. */
static bool put_trades(struct trade_stream *s, struct buf *out)
{
    MEM_UNFILLED struct feed_after page;
    int64_t fields = list_fields(&s->call->params);
    size_t limit = EVENTS_PER_DRAW - s->since_draw, i = 0;
    feed_trades_after(
        s->call->api->config.feed, &s->filter, &s->place,
        limit < FEED_AFTER_MAX ? limit : FEED_AFTER_MAX, &page);
    while (i < page.count && out->n < PIECE_SIZE) {
        put_event(out, &page.rows[i], &page.places[i], fields);
        i++;
    }
    s->since_draw += (uint32_t)i;
    stream_slots_sent(s->call->api->streams, i);
    s->place = i < page.count ? page.places[i - 1] : page.place;
    return page.more || i < page.count;
}

static enum http_stream_next go_on(struct trade_stream *s, struct buf *out)
{
    if (!s->begun)
        put_start(s, out);
    s->begun = true;
    if (!may_go_on(s->call))
        return HTTP_STREAM_END;
    if (s->drawing) {
        s->drawing = false;
        return judge_draw(s, out);
    }
    bool more = put_trades(s, out);
    if (s->since_draw == EVENTS_PER_DRAW)
        return draw(s) ? judge_draw(s, out) : HTTP_STREAM_WAIT;
    return more ? HTTP_STREAM_MORE : HTTP_STREAM_REST;
}

static enum http_stream_next turn(struct http_exchange *x, struct buf *out)
{
    struct api_call *call = http_data(x);
    RCU_READ();
    return call->stream->go_on(call->stream, out);
}

static void ended(struct http_exchange *x)
{
    const struct api_call *call = http_data(x);
    struct trade_stream *s = call->stream;
    stream_slots_close(s->slots, &s->slot);
    gzip_stream_destroy(s->gzip);
    buf_finish(&s->piece);
    if (call->api->config.access_log)
        access_log_note(
            x, call->operation->path, call->key_prefix, clock_mono_ns() - http_began_ns(x));
}

static const struct http_streamer streamer = {
    .turn = turn,
    .ended = ended,
    .heartbeat = STR_INIT(":\n\n"),
    .heartbeat_ms = HEARTBEAT_MS,
};

/* --- the start */

/* Where the stream begins: after the client's last event, at `since`, or after the newest trade. */
static bool read_place(struct trade_stream *s)
{
    const struct str name = STR("last-event-id");
    const struct http_request *request = s->call->request;
    size_t given = http_header_count(request, name);
    s->place = cursor_at(CURSOR_TRADES, 0, STR("0"));
    if (given == 1 && cursor_decode(http_header(request, name), CURSOR_TRADES, &s->place))
        return true;
    if (given == 0 && s->filter.since_ms == INSTANT_NONE) {
        s->place = feed_trades_end(s->call->api->config.feed);
        s->tells_place = true;
    }
    return given == 0;
}

static void refuse_caller(struct api_call *call)
{
    limits_refund(call->api->config.limits, &call->drawer, &call->window);
    call->drawn = false;
    call->window.retry_after_s = CALLER_FULL_RETRY_S;
    reply_rate_limited(call);
}

static struct trade_stream *create(
    struct api_call *call, struct stream_slots *slots,
    enum http_stream_next (*kind)(struct trade_stream *s, struct buf *out))
{
    struct trade_stream *s = ARENA_NEW(http_arena(call->x), struct trade_stream);
    s->call = call;
    s->slots = slots;
    s->go_on = kind;
    buf_init(&s->piece, SIZE_MAX);
    s->filter = FEED_FILTER_NONE;
    trades_read_filters(&call->params, &s->filter, s->tests);
    return s;
}

/* False: too many are open. */
static bool begin(struct trade_stream *s, const struct http_streamer *how)
{
    struct api_call *call = s->call;
    switch (stream_slots_open(s->slots, &call->drawer, &s->slot)) {
    case STREAM_FULL:
        reply_error(call, ERROR_SERVICE_UNAVAILABLE, STR("Too many of these are open."));
        return false;
    case STREAM_CALLER_FULL:
        refuse_caller(call);
        return false;
    case STREAM_OPEN:
        break;
    }
    call->stream = s;
    call->streamer = how;
    return true;
}

void trade_stream_answer(struct api_call *call)
{
    if (!list_values_pass(call, false))
        return;
    struct trade_stream *s = create(call, call->api->streams, go_on);
    if (!read_place(s))
        reply_error(
            call, ERROR_INVALID_CURSOR,
            STR("Last-Event-ID must be the id of the last event, unchanged, or left out."));
    else if (begin(s, &streamer))
        http_head_raw(call->x, headers_common(MEDIA_EVENTS));
}

/* --- the export */

/* The answer to a draw: an export waits for the next minute, and does not for the next month. */
static enum http_stream_next judge_export(struct trade_stream *s)
{
    enum limits_verdict verdict = s->call->window.verdict;
    s->waiting = verdict != LIMITS_GRANTED;
    if (verdict == LIMITS_DENIED_MONTH)
        return HTTP_STREAM_CUT;
    return s->waiting ? HTTP_STREAM_REST : HTTP_STREAM_MORE;
}

/* The minute is over. */
static bool may_draw(const struct trade_stream *s)
{
    struct limits_answer window;
    const struct api_call *call = s->call;
    limits_peek(call->api->config.limits, &call->drawer, http_now_ms(call->x), &window);
    return window.verdict == LIMITS_GRANTED;
}

static void make_piece(struct trade_stream *s)
{
    BUF_SCOPED(plain, SIZE_MAX);
    struct buf *rows = s->gzip ? &plain : &s->piece;
    rcu_read_begin();
    s->since_draw += (uint32_t)record_trades_put(&s->at, &s->from, ROWS_OF_PIECE, s->csv, rows);
    rcu_read_end();
    if (s->gzip)
        gzip_stream_put(s->gzip, buf_view(&plain), !s->at.more, &s->piece);
    s->made = true;
    http_stream_resume(s->call->x); /* the stream is the loop's again */
}

/* One thread of low priority writes and compresses the rows of all exports, a piece of each in
 * turn: a loop that did it would keep other requests waiting. */
static void *write_pieces(void *ctx)
{
    struct export_queue *q = ctx;
    int unused = nice(EXPORT_NICE); /* on Linux: of this thread only */
    (void)unused;
    rcu_thread_start();
    pthread_mutex_lock(&q->lock);
    while (!q->stops) {
        struct trade_stream *s = q->first;
        if (!s) {
            pthread_cond_wait(&q->some, &q->lock);
            continue;
        }
        q->first = s->next;
        pthread_mutex_unlock(&q->lock);
        make_piece(s);
        pthread_mutex_lock(&q->lock);
    }
    pthread_mutex_unlock(&q->lock);
    rcu_thread_stop();
    return NULL;
}

struct export_queue *export_queue_create(void)
{
    struct export_queue *q = MEM_NEW(struct export_queue);
    pthread_mutex_init(&q->lock, NULL);
    pthread_cond_init(&q->some, NULL);
    return q;
}

void export_queue_destroy(struct export_queue *q)
{
    pthread_mutex_lock(&q->lock);
    q->stops = true;
    pthread_cond_signal(&q->some);
    pthread_mutex_unlock(&q->lock);
    if (q->started)
        pthread_join(q->thread, NULL);
    pthread_cond_destroy(&q->some);
    pthread_mutex_destroy(&q->lock);
    mem_free(q);
}

/* With the first export. */
static bool start_thread(struct export_queue *q)
{
    struct fail fail;
    pthread_mutex_lock(&q->lock);
    if (!q->started)
        q->started = thread_start(&q->thread, write_pieces, q, "exports", &fail) == OK;
    bool started = q->started;
    pthread_mutex_unlock(&q->lock);
    if (!started)
        log_line(LOG_WARN, "no export can begin", LOG_S("reason", str_from(fail.text)));
    return started;
}

static void queue_piece(struct trade_stream *s)
{
    struct export_queue *q = s->call->api->export_queue;
    s->next = NULL;
    pthread_mutex_lock(&q->lock);
    if (q->first)
        q->last->next = s;
    else
        q->first = s;
    q->last = s;
    pthread_cond_signal(&q->some);
    pthread_mutex_unlock(&q->lock);
}

static enum http_stream_next export_on(struct trade_stream *s, struct buf *out)
{
    if (!may_go_on(s->call))
        return HTTP_STREAM_CUT;
    if (s->drawing) {
        s->drawing = false;
        return judge_export(s);
    }
    if (s->made) {
        s->made = false;
        buf_str(out, buf_view(&s->piece));
        buf_reset(&s->piece);
        if (!s->at.more || s->since_draw == ROWS_PER_DRAW) /* a cut would drop the piece */
            return s->at.more ? HTTP_STREAM_MORE : HTTP_STREAM_END;
    }
    if (s->waiting && !may_draw(s))
        return HTTP_STREAM_REST;
    if (s->waiting || s->since_draw == ROWS_PER_DRAW)
        return draw(s) ? judge_export(s) : HTTP_STREAM_WAIT;
    queue_piece(s);
    return HTTP_STREAM_WAIT;
}

static const struct http_streamer export_streamer = {
    .turn = turn,
    .ended = ended,
    .heartbeat = STR_INIT(""),
    .heartbeat_ms = WAIT_STEP_MS,
    .finite = true,
};

/* Behind the row that the client has. False: there is no such trade. */
static bool read_after(struct trade_stream *s)
{
    struct str id = s->call->params.page[PAGE_PARAM_AFTER].text;
    struct feed_row row;
    struct trade trade;
    if (str_is_null(id))
        return true;
    if (!feed_trade(s->from.feed, id, &row))
        return false;
    shape_trade_read(row.head, row.tail, http_arena(s->call->x), &trade);
    s->at = (struct record_place){.behind = true};
    s->at.last = cursor_at(CURSOR_TRADES, trade.disclosed_at, trade.id);
    return true;
}

static void put_export_head(struct trade_stream *s)
{
    struct http_exchange *x = s->call->x;
    bool gzip = accept_encoding_gzip(http_header_joined(x, STR("accept-encoding")));
    http_head_raw(x, headers_common(s->csv ? MEDIA_CSV : MEDIA_LINES));
    http_head(
        x, header_info(HEADER_DISPOSITION)->name,
        s->csv ? STR("attachment; filename=\"trades.csv\"")
               : STR("attachment; filename=\"trades.jsonl\""));
    if (gzip) {
        s->gzip = gzip_stream_create();
        http_head_raw(x, STR("Content-Encoding: gzip\r\n"));
    }
}

void trade_export_answer(struct api_call *call)
{
    if (!list_values_pass(call, false))
        return;
    struct trade_stream *s = create(call, call->api->exports, export_on);
    s->csv = call->params.page[PAGE_PARAM_ROWS].number == PARAM_ROWS_CSV;
    s->from = (struct record_from){
        .feed = call->api->config.feed,
        .filter = &s->filter,
        .until_ms = INSTANT_NONE,
        .today = instant_day_utc(http_now_ms(call->x)),
    };
    if (!read_after(s))
        reply_error(
            call, ERROR_INVALID_PARAMETER,
            STR("\"after\" is no public trade, or was withdrawn: give the row before it."));
    else if (!start_thread(call->api->export_queue))
        reply_error(call, ERROR_SERVICE_UNAVAILABLE, STR_NULL);
    else if (begin(s, &export_streamer))
        put_export_head(s);
}
