/* The loop of `stockact listen`; see listen.h. */
#include "listen/listen.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/build.h"
#include "base/clock.h"
#include "base/disk.h"
#include "base/hidden.h"
#include "base/json_out.h"
#include "listen/forward.h"
#include "rule/invented.h"

/* The lines of `stockact listen` on standard output: as one JSON object per line, as tab-separated
 * text for programs, or in columns for a person at a terminal (listen/listen.h). */

struct report {
    bool json;
    const struct listen_look *look; /* borrowed; NULL: text for programs */
    struct buf lines;               /* the caller writes and resets it */
};

struct report_start {
    struct str api_url, to, events; /* null: print only; all events */
    struct str secret;              /* null: do not show it */
};

struct report_event {
    int64_t now_ms;
    const struct event_page_item *event;
    struct str delivery_id;              /* null: not forwarded */
    const struct forward_result *result; /* NULL: not forwarded */
    int64_t took_ms;
    struct str skipped; /* why it was not forwarded; null: it was, or --print-only */
    bool show_body;
};

struct report_end {
    int64_t events, accepted, failed;
    bool print_only;
    struct str cursor; /* null: none known */
};

enum { STATUS_COLUMNS = 6, MS_COLUMNS = 5, TYPE_COLUMNS = 16, TIME_BEGINS = 11, TIME_SIZE = 8 };

static void report_init(struct report *r, bool json, const struct listen_look *look)
{
    *r = (struct report){.json = json, .look = look};
    buf_init(&r->lines, SIZE_MAX);
}

static void report_finish(struct report *r)
{
    if (r->lines.p)
        mem_wipe(r->lines.p, r->lines.n); /* the first lines have the secret */
    buf_finish(&r->lines);
}

static void begin(struct report *r, struct json_out *j)
{
    json_init(j, &r->lines);
    json_object_begin(j);
}

static void end(struct report *r, struct json_out *j)
{
    json_object_end(j);
    buf_char(&r->lines, '\n');
}

/* --- start */

static void start_json(struct report *r, const struct report_start *s)
{
    struct json_out j;
    begin(r, &j);
    JSON_KEY_STR(&j, "listening", s->api_url);
    JSON_KEY_STR(&j, "to", s->to);
    JSON_KEY_STR(&j, "events", s->events);
    JSON_KEY_STR(&j, "secret", s->secret);
    end(r, &j);
}

static void paint(struct report *r, enum listen_tone tone, const char *text)
{
    r->look->paint(r->look->ctx, &r->lines, tone, str_from(text));
}

static void start_look(struct report *r, const struct report_start *s)
{
    paint(r, LISTEN_FAINT, "events  ");
    buf_fmt(
        &r->lines, "%.*s (%.*s)\n", STR_ARG(s->api_url),
        STR_ARG(str_is_null(s->events) ? STR("all types") : s->events));
    paint(r, LISTEN_FAINT, "to      ");
    buf_fmt(&r->lines, "%.*s\n", STR_ARG(str_is_null(s->to) ? STR("this terminal only") : s->to));
    if (!str_is_null(s->secret)) {
        paint(r, LISTEN_FAINT, "secret  ");
        buf_fmt(&r->lines, "%.*s\n", STR_ARG(s->secret));
        paint(r, LISTEN_FAINT, "        the same whenever you use this key on this machine\n");
    }
    buf_text(&r->lines, "Waiting for events. Ctrl-C ends this.\n\n");
    paint(
        r, LISTEN_FAINT,
        str_is_null(s->to) ? "time       event             id\n"
                           : "time       status     ms  event             id\n");
}

static void report_start(struct report *r, const struct report_start *s)
{
    if (r->json) {
        start_json(r, s);
        return;
    }
    if (r->look) {
        start_look(r, s);
        return;
    }
    buf_fmt(
        &r->lines, "Events of %.*s (%.*s)", STR_ARG(s->api_url),
        STR_ARG(str_is_null(s->events) ? STR("all types") : s->events));
    if (str_is_null(s->to))
        buf_text(&r->lines, " are printed, not forwarded.\n");
    else
        buf_fmt(&r->lines, " are forwarded to %.*s.\n", STR_ARG(s->to));
    if (!str_is_null(s->secret))
        buf_fmt(
            &r->lines,
            "Signing secret, the same whenever you use this key on this machine:\n%.*s\n",
            STR_ARG(s->secret));
    if (!str_is_null(s->to))
        buf_text(&r->lines, "time\tstatus\tms\tevent\tid\n");
}

/* --- an event */

static struct str reason_of(const struct report_event *e)
{
    if (!str_is_null(e->skipped))
        return e->skipped;
    return e->result && e->result->reason[0] ? str_from(e->result->reason) : STR_NULL;
}

static void event_json(struct report *r, const struct report_event *e)
{
    struct json_out j;
    begin(r, &j);
    JSON_KEY_INSTANT(&j, "at", e->now_ms);
    JSON_KEY_STR(&j, "event", e->event->type);
    JSON_KEY_STR(&j, "id", e->event->id);
    JSON_KEY_STR(&j, "deliveryId", e->delivery_id);
    json_key(&j, STR("status"));
    if (e->result && e->result->status > 0)
        json_i64(&j, e->result->status);
    else
        json_no_value(&j);
    json_key(&j, STR("ms"));
    if (e->result)
        json_i64(&j, e->took_ms);
    else
        json_no_value(&j);
    JSON_KEY_STR(&j, "error", reason_of(e));
    if (e->show_body) {
        json_key(&j, STR("body"));
        if (str_is_null(e->event->body))
            json_no_value(&j);
        else
            json_raw(&j, e->event->body);
    }
    end(r, &j);
}

static void event_text(struct report *r, const struct report_event *e)
{
    struct buf *b = &r->lines;
    instant_put(b, e->now_ms);
    buf_char(b, '\t');
    if (e->result && e->result->status > 0)
        buf_i64(b, e->result->status);
    else if (e->result || !str_is_null(e->skipped))
        buf_char(b, '-');
    if (!e->show_body) {
        buf_char(b, '\t');
        if (e->result)
            buf_i64(b, e->took_ms);
        else
            buf_char(b, '-');
        buf_char(b, '\t');
    }
    buf_fmt(b, "%.*s\t%.*s", STR_ARG(e->event->type), STR_ARG(e->event->id));
    if (!str_is_null(reason_of(e))) {
        buf_char(b, '\t');
        hidden_show(b, reason_of(e));
    }
    buf_char(b, '\n');
    if (e->show_body && !str_is_null(e->event->body)) {
        hidden_json_show(b, e->event->body);
        buf_char(b, '\n');
    }
}

/* Right-aligned, before two spaces. */
static void put_right(struct report *r, size_t columns, enum listen_tone tone, const char *text)
{
    for (size_t n = strlen(text); n < columns; n++)
        buf_char(&r->lines, ' ');
    paint(r, tone, text);
    buf_text(&r->lines, "  ");
}

static void put_result(struct report *r, const struct report_event *e)
{
    bool answered = e->result && e->result->status > 0;
    bool good = answered && e->result->status >= 200 && e->result->status < 300;
    char status[24] = "-", ms[24] = "-";
    if (answered)
        snprintf(status, sizeof status, "%d", (int)e->result->status);
    if (e->result)
        snprintf(ms, sizeof ms, "%" PRId64, e->took_ms);
    put_right(r, STATUS_COLUMNS, good ? LISTEN_GOOD : LISTEN_BAD, status);
    put_right(r, MS_COLUMNS, LISTEN_FAINT, ms);
}

static void event_look(struct report *r, const struct report_event *e)
{
    struct buf *b = &r->lines, time;
    buf_init(&time, SIZE_MAX);
    instant_put(&time, e->now_ms);
    buf_fmt(b, "%.*sZ  ", TIME_SIZE, time.p + TIME_BEGINS);
    buf_finish(&time);
    if (!e->show_body)
        put_result(r, e);
    buf_str(b, e->event->type);
    for (size_t n = e->event->type.n; n < TYPE_COLUMNS; n++)
        buf_char(b, ' ');
    buf_fmt(b, "  %.*s\n", STR_ARG(e->event->id));
    if (!str_is_null(reason_of(e))) {
        buf_text(b, "           ");
        hidden_show(b, reason_of(e));
        buf_char(b, '\n');
    }
    if (e->show_body && !str_is_null(e->event->body)) {
        hidden_json_show(b, e->event->body);
        buf_char(b, '\n');
    }
}

static void report_event(struct report *r, const struct report_event *e)
{
    if (r->json)
        event_json(r, e);
    else if (r->look)
        event_look(r, e);
    else
        event_text(r, e);
}

/* --- end */

static void end_json(struct report *r, const struct report_end *e)
{
    struct json_out j;
    begin(r, &j);
    JSON_KEY_I64(&j, "events", e->events);
    JSON_KEY_I64(&j, "accepted", e->accepted);
    JSON_KEY_I64(&j, "failed", e->failed);
    JSON_KEY_STR(&j, "cursor", e->cursor);
    end(r, &j);
}

static void report_end(struct report *r, const struct report_end *e)
{
    if (r->json) {
        end_json(r, e);
        return;
    }
    buf_fmt(&r->lines, "%" PRId64 " event%s", e->events, e->events == 1 ? "" : "s");
    if (!e->print_only)
        buf_fmt(
            &r->lines, ": %" PRId64 " answered with 2xx, %" PRId64 " not", e->accepted, e->failed);
    buf_text(&r->lines, ".\n");
    if (!str_is_null(e->cursor))
        buf_fmt(&r->lines, "To continue here later: --cursor %.*s\n", STR_ARG(e->cursor));
}

/* Reads rate-limit headers. */

static struct rate_window *window_of(struct rate *rate, struct str name)
{
    if (str_eq(name, STR("\"minute\"")))
        return &rate->minute;
    return str_eq(name, STR("\"month\"")) ? &rate->month : NULL;
}

/* `r=59` */
static void read_parameter(struct rate_window *window, struct str text)
{
    int64_t value;
    if (text.n < 3 || text.p[1] != '=' || !str_to_i64(str_slice(text, 2, text.n), &value) ||
        value < 0)
        return;
    if (text.p[0] == 'q')
        window->limit = value;
    else if (text.p[0] == 'r')
        window->left = value;
    else if (text.p[0] == 't')
        window->ends_s = value;
}

static void read_header(struct rate *rate, struct str text)
{
    struct str item, part;
    while (str_split(&text, ',', &item)) {
        if (!str_split(&item, ';', &part))
            continue;
        struct rate_window *window = window_of(rate, str_trim(part));
        while (window && str_split(&item, ';', &part))
            read_parameter(window, str_trim(part));
    }
}

void rate_read(struct str rate_limit, struct str policy, struct rate *ret)
{
    static const struct rate_window unknown = {-1, -1, -1};
    *ret = (struct rate){unknown, unknown};
    read_header(ret, rate_limit);
    read_header(ret, policy);
}

enum { MINUTE_IN_MS = 60 * 1000, SECOND_IN_MS = 1000, RETRY_DOUBLINGS_MAX = 5 };

static int64_t at_most(int64_t value, int64_t max)
{
    return value < max ? value : max;
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Spreads half of the requests that are left over the rest of the window. */
static int64_t spread_ms(const struct rate_window *window)
{
    enum { SECONDS_MAX = 366 * 86400 };
    int64_t rest_ms = at_most(window->ends_s, SECONDS_MAX) * SECOND_IN_MS;
    return window->left > 1 ? 2 * rest_ms / window->left : rest_ms;
}

static bool is_known(const struct rate_window *window)
{
    return window->left >= 0 && window->ends_s >= 0;
}

/* Less than this part of the window is left, or its limit is unknown. */
static bool is_low(const struct rate_window *window, int64_t parts)
{
    return is_known(window) && (window->limit < 0 || window->left < window->limit / parts);
}

int64_t pace_next_ms(const struct rate *rate, int64_t quiet_ms)
{
    int64_t wait = quiet_ms < PACE_QUIET_AFTER_MS ? PACE_MS : PACE_QUIET_MS;
    if (rate->minute.limit > 0)
        wait = later(wait, 2 * MINUTE_IN_MS / rate->minute.limit);
    if (is_low(&rate->minute, 4))
        wait = later(wait, spread_ms(&rate->minute));
    if (is_low(&rate->month, 2))
        wait = later(wait, spread_ms(&rate->month));
    return at_most(wait, PACE_MAX_MS);
}

int64_t pace_retry_ms(unsigned failures)
{
    unsigned doublings = failures > 0 ? failures - 1 : 0;
    int64_t wait = (int64_t)SECOND_IN_MS
                   << (doublings < RETRY_DOUBLINGS_MAX ? doublings : RETRY_DOUBLINGS_MAX);
    return at_most(wait, PACE_RETRY_MAX_MS);
}

/* Waits with poll, so that write does not block. */

/* Standard streams are shared with other processes, so O_NONBLOCK cannot be set. A pipe that polls
 * writable has room for PIPE_BUF bytes. */
static enum err wait_for_room(int fd, int stop_fd, struct fail *fail)
{
    struct pollfd polled[] = {{.fd = fd, .events = POLLOUT}, {.fd = stop_fd, .events = POLLIN}};
    while (poll(polled, 2, -1) < 0)
        if (errno != EINTR)
            return fail_set(fail, ERR_IO, "poll: %s", strerror(errno));
    return polled[0].revents ? OK : fail_set(fail, ERR_BUSY, "interrupted");
}

/* ERR_BUSY: stop_fd became readable while nothing could be written. ERR_IO: the pipe is closed, or
 * the disk is full. */
static enum err writer_write(int fd, struct str text, int stop_fd, struct fail *fail)
{
    while (text.n > 0) {
        TRY(wait_for_room(fd, stop_fd, fail));
        ssize_t n = write(fd, text.p, text.n < PIPE_BUF ? text.n : PIPE_BUF);
        if (n >= 0)
            text = str_slice(text, (size_t)n, text.n);
        else if (errno != EINTR && errno != EAGAIN)
            return fail_set(fail, ERR_IO, "cannot write the output: %s", disk_reason(errno));
    }
    return OK;
}

enum {
    PAGE_SIZE_MAX = 17 * 1024 * 1024, /* of a response: the API's own bound is 16 MiB */
    PAGE_EVENTS = 25,
    ASK_TIME_MAX_MS = 20 * 1000,
    CONNECT_TIME_MAX_MS = 5000,
    ETAG_SIZE_MAX = 100,
    REMEMBERED = 256, /* ids of forwarded events */
    ID_SIZE = 20,
    WAIT_HOURS_MAX_S = 3600, /* a longer Retry-After means that the month is used up */
    NOTE_AFTER_MS = 15 * 1000,
};

/* A response of the API, copied. */
struct listen_answer {
    bool ended;
    enum err err;
    int status;
    int64_t retry_after_s; /* 0: none */
    bool invented;
    struct rate rate;
    struct fail reason; /* of err */
    char etag[ETAG_SIZE_MAX + 1];
    struct buf body;
};

struct listen {
    const struct listen_config *config;
    struct client *api;
    struct forward forward;
    struct report report;
    int stop_fd;
    bool stopped;
    bool connected;    /* there was a page */
    bool in_trouble;   /* the last request failed, and the user knows */
    bool told_slow;    /* the user knows that requests are rare */
    unsigned failures; /* in a row */
    struct listen_answer answer;
    struct buf cursor;            /* empty: none yet */
    char etag[ETAG_SIZE_MAX + 1]; /* of the page at `cursor`; "": unknown */
    int64_t last_event_ms;
    struct report_end counts;
    char remembered[REMEMBERED][ID_SIZE]; /* a ring */
    size_t remembered_count;
    const char *code;
};

/* --- output */

/* An interrupt while nothing can be written ends the run. */
static enum err checked(struct listen *l, enum err err)
{
    if (err != ERR_BUSY)
        return err;
    l->stopped = true;
    return OK;
}

static enum err flush(struct listen *l, struct fail *fail)
{
    enum err err = writer_write(STDOUT_FILENO, buf_view(&l->report.lines), l->stop_fd, fail);
    buf_reset(&l->report.lines);
    return checked(l, err);
}

/* A line for the user on standard error. */
static enum err note(struct listen *l, struct fail *fail, const char *format, ...)
{
    struct fail line; /* limits the text to one line, and shows hidden characters */
    BUF_SCOPED(b, SIZE_MAX);
    va_list args;
    va_start(args, format);
    (void)fail_set_va(&line, ERR_IO, format, args);
    va_end(args);
    buf_fmt(&b, "stockact: %s\n", line.text);
    enum err err = writer_write(STDERR_FILENO, buf_view(&b), l->stop_fd, fail);
    return err == ERR_IO ? OK : checked(l, err); /* nobody reads the notes */
}

/* --- waiting */

/* Until *done, an interrupt, or the time is over. */
static enum err wait_for(
    struct listen *l, struct client *client, const bool *done, int64_t time_max_ms,
    struct fail *fail)
{
    int64_t end_ms = clock_mono_ms() + time_max_ms;
    for (int64_t left = time_max_ms; left > 0 && !l->stopped && !(done && *done);
         left = end_ms - clock_mono_ms()) {
        TRY(client_wait(client, &l->stop_fd, 1, left, &l->stopped, fail));
        client_tell(client);
    }
    return OK;
}

static enum err rest(struct listen *l, int64_t ms, struct fail *fail)
{
    return wait_for(l, l->api, NULL, ms, fail);
}

/* --- asking */

static int64_t seconds_of(const struct client_answer *from, const char *name)
{
    int64_t value;
    return str_to_i64(client_header(from, name), &value) && value > 0 ? value : 0;
}

static void answered(void *ctx, const struct client_answer *from)
{
    struct listen_answer *a = ctx;
    struct str etag = client_header(from, "ETag");
    a->ended = true;
    a->err = from->err;
    a->status = from->err ? 0 : from->status;
    (void)fail_set(&a->reason, from->err, "%s", from->reason);
    a->retry_after_s = seconds_of(from, "Retry-After");
    a->invented = str_eq(client_header(from, INVENTED_HEADER), STR(INVENTED_VALUE));
    rate_read(client_header(from, "RateLimit"), client_header(from, "RateLimit-Policy"), &a->rate);
    if (etag.n > ETAG_SIZE_MAX)
        etag = STR("");
    struct buf copy = buf_over(a->etag, ETAG_SIZE_MAX);
    buf_str(&copy, etag);
    a->etag[copy.n] = '\0';
    buf_reset(&a->body);
    buf_str(&a->body, from->body);
}

static void put_target(struct buf *b, const struct listen *l)
{
    const struct listen_config *c = l->config;
    bool first = l->cursor.n == 0;
    int64_t limit = !first ? PAGE_EVENTS : c->last > 0 ? c->last : 1;
    buf_text(b, "/api/v1/events?limit=");
    buf_i64(b, limit);
    if (!str_is_null(c->events)) {
        buf_text(b, "&events=");
        buf_str(b, c->events);
    }
    if (!first) {
        buf_text(b, "&cursor=");
        buf_str(b, buf_view(&l->cursor));
    }
}

static enum err ask(struct listen *l, struct fail *fail)
{
    BUF_SCOPED(condition, SIZE_MAX);
    BUF_SCOPED(target, SIZE_MAX);
    struct str headers[2] = {STR("Accept: application/json")};
    put_target(&target, l);
    buf_fmt(&condition, "If-None-Match: %s", l->etag);
    headers[1] = buf_view(&condition);
    const struct client_request request = {
        .target = buf_view(&target),
        .headers = headers,
        .header_count = l->etag[0] ? 2 : 1,
        .time_max_ms = ASK_TIME_MAX_MS,
    };
    l->answer.ended = false;
    struct client_exchange *exchange = client_begin(l->api, &request, answered, &l->answer);
    enum err err = wait_for(l, l->api, &l->answer.ended, 2 * ASK_TIME_MAX_MS, fail);
    if (!l->answer.ended) {
        client_cancel(exchange);
        l->answer.err = ERR_TIMEOUT;
        (void)fail_set(&l->answer.reason, ERR_TIMEOUT, "the server did not answer in time");
    }
    return err;
}

/* --- forwarding */

/* Whether the event was forwarded before: an older database was restored, or a server is behind. */
static bool is_remembered(struct listen *l, struct str id)
{
    size_t n = l->remembered_count < REMEMBERED ? l->remembered_count : REMEMBERED;
    for (size_t i = 0; i < n; i++)
        if (str_eq(str_of(l->remembered[i], ID_SIZE), id))
            return true;
    memcpy(l->remembered[l->remembered_count++ % REMEMBERED], id.p, ID_SIZE);
    return false;
}

/* Sends the event and waits for the answer. An interrupt ends the wait. */
static enum err send(
    struct listen *l, const struct event_page_item *event, struct forward_result *result,
    int64_t *ret_took_ms, struct fail *fail)
{
    int64_t began_ms = clock_mono_ms();
    forward_begin(&l->forward, event, l->answer.invented, l->config->wall_ms(), result);
    enum err err = wait_for(l, l->forward.client, &result->ended, INT32_MAX, fail);
    *ret_took_ms = clock_mono_ms() - began_ms;
    return err;
}

static enum err take_event(struct listen *l, const struct event_page_item *event, struct fail *fail)
{
    char id[FORWARD_ID_SIZE];
    struct forward_result result = {0};
    bool print_only = str_is_null(l->config->to);
    struct report_event line = {.event = event, .show_body = print_only};
    enum err err = OK;
    if (is_remembered(l, event->id))
        return OK;
    l->last_event_ms = clock_mono_ms();
    l->counts.events++;
    if (str_is_null(event->body)) {
        line.skipped = STR("its body is too large for the API: only a webhook gets it");
        l->counts.failed++;
    } else if (!print_only) {
        forward_id(&l->forward, event->id, id);
        err = send(l, event, &result, &line.took_ms, fail);
        if (!result.ended && !err)
            memcpy(result.reason, "interrupted", sizeof "interrupted");
        line.delivery_id = str_of(id, sizeof id);
        line.result = &result;
        bool accepted = result.status >= 200 && result.status < 300;
        *(accepted ? &l->counts.accepted : &l->counts.failed) += 1;
    }
    line.now_ms = l->config->wall_ms();
    report_event(&l->report, &line);
    return err ? err : flush(l, fail);
}

static enum err take_page(struct listen *l, const struct event_page *page, struct fail *fail)
{
    const struct listen_config *c = l->config;
    bool skip = l->cursor.n == 0 && c->last == 0; /* asked for the position alone */
    enum err err = OK;
    for (size_t i = 0; i < page->count && !skip && !err && !l->stopped; i++)
        err = take_event(l, &page->items[i], fail);
    if (err || l->stopped)
        return err;
    buf_reset(&l->cursor);
    buf_str(&l->cursor, page->cursor);
    return OK;
}

/* --- what an answer means */

static enum err trouble(struct listen *l, const char *reason, struct fail *fail)
{
    enum err err = OK;
    int64_t wait_ms = pace_retry_ms(++l->failures);
    if (l->answer.retry_after_s > 0 && l->answer.retry_after_s * 1000 > wait_ms)
        wait_ms = l->answer.retry_after_s < WAIT_HOURS_MAX_S ? l->answer.retry_after_s * 1000
                                                             : WAIT_HOURS_MAX_S * 1000LL;
    if (!l->in_trouble)
        err = note(l, fail, "%.*s: %s; trying again", STR_ARG(l->config->api_url), reason);
    l->in_trouble = true;
    return err ? err : rest(l, wait_ms, fail);
}

static enum err recovered(struct listen *l, struct fail *fail)
{
    bool was = l->in_trouble;
    l->failures = 0;
    l->in_trouble = false;
    return was ? note(l, fail, "%.*s answers again", STR_ARG(l->config->api_url)) : OK;
}

/* Before the first page a wrong address is likely; afterwards a proxy answers in between. */
static enum err strange(struct listen *l, struct fail *fail)
{
    char reason[64];
    if (l->connected) {
        snprintf(reason, sizeof reason, "unexpected response (status %d)", l->answer.status);
        return trouble(l, reason, fail);
    }
    return fail_set(
        fail, ERR_REFUSED,
        "\"%.*s\" has no list of events (status %d): use the base URL of a stockact server",
        STR_ARG(l->config->api_url), l->answer.status);
}

static enum err next_wait(struct listen *l, struct fail *fail)
{
    int64_t now_ms = clock_mono_ms();
    int64_t wait_ms = pace_next_ms(&l->answer.rate, now_ms - l->last_event_ms);
    bool slow = wait_ms > NOTE_AFTER_MS;
    enum err err = OK;
    if (slow && !l->told_slow)
        err = note(
            l, fail, "few requests of the key's limits are left: asking every %lld seconds",
            (long long)(wait_ms / 1000));
    l->told_slow = slow;
    return err ? err : rest(l, wait_ms, fail);
}

static enum err started(struct listen *l, struct fail *fail)
{
    const struct listen_config *c = l->config;
    l->connected = true;
    report_start(
        &l->report, &(struct report_start){
                        .api_url = c->api_url,
                        .to = c->to,
                        .events = c->events,
                        .secret = c->show_secret ? c->secret : STR_NULL,
                    });
    return flush(l, fail);
}

static enum err page_arrived(struct listen *l, struct fail *fail)
{
    struct event_page page;
    if (!event_page_read(buf_view(&l->answer.body), &page)) {
        event_page_finish(&page);
        return strange(l, fail);
    }
    enum err err = recovered(l, fail);
    if (!err && !l->connected)
        err = started(l, fail);
    bool moved = !str_eq(page.cursor, buf_view(&l->cursor));
    bool more = page.more;
    if (!err)
        err = take_page(l, &page, fail);
    event_page_finish(&page);
    l->etag[0] = '\0';
    if (!moved) /* the same request would get the same page */
        memcpy(l->etag, l->answer.etag, sizeof l->etag);
    return err || (more && moved) ? err : next_wait(l, fail);
}

static enum err limited(struct listen *l, struct fail *fail)
{
    int64_t wait_s = l->answer.retry_after_s;
    if (wait_s > WAIT_HOURS_MAX_S) {
        l->code = "rate_limited";
        return fail_set(
            fail, ERR_LIMIT, "the key's requests of this month are used up: wait %lld hours",
            (long long)((wait_s + WAIT_HOURS_MAX_S - 1) / WAIT_HOURS_MAX_S));
    }
    return trouble(l, "the rate limit is reached", fail);
}

/* Answers that another request would get as well. */
static enum err refused(struct listen *l, struct fail *fail)
{
    switch (l->answer.status) {
    case 400:
        l->code = "invalid_cursor";
        return fail_set(fail, ERR_INVALID, "the server refuses the cursor or the list of events");
    case 401:
        l->code = "invalid_api_key";
        return fail_set(
            fail, ERR_REFUSED, "the API key was not accepted: it is unknown, or it was revoked");
    default:
        l->code = "plan_has_no_api_access";
        return fail_set(fail, ERR_REFUSED, "the plan of the API key has no API access");
    }
}

static enum err take_answer(struct listen *l, struct fail *fail)
{
    struct listen_answer *a = &l->answer;
    if (a->err == ERR_INVALID || (a->err == ERR_REFUSED && !l->connected))
        return fail_set(fail, a->err, "%.*s: %s", STR_ARG(l->config->api_url), a->reason.text);
    if (a->err)
        return trouble(l, a->reason.text, fail);
    switch (a->status) {
    case 200:
        return page_arrived(l, fail);
    case 304: {
        TRY(recovered(l, fail));
        return next_wait(l, fail);
    }
    case 400:
    case 401:
    case 403:
        return refused(l, fail);
    case 429:
        return limited(l, fail);
    default:
        return a->status >= 500 ? trouble(l, "the server is not available", fail)
                                : strange(l, fail);
    }
}

/* --- */

/* Signals arrive as a readable descriptor; all waits watch it. */
static enum err take_signals(struct listen *l, sigset_t *ret_before, struct fail *fail)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigprocmask(SIG_BLOCK, &set, ret_before);
    l->stop_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    return l->stop_fd >= 0 ? OK : fail_set(fail, ERR_IO, "signalfd: %s", strerror(errno));
}

/* A second interrupt ends the process in the usual way. */
static void leave_signals(struct listen *l, const sigset_t *before)
{
    struct signalfd_siginfo info;
    while (l->stop_fd >= 0 && read(l->stop_fd, &info, sizeof info) > 0)
        continue;
    sigprocmask(SIG_SETMASK, before, NULL);
}

static enum err open_clients(struct listen *l, struct fail *fail)
{
    const struct listen_config *c = l->config;
    struct fail why;
    const struct client_config api = {
        .base_url = c->api_url,
        .plain_http = true,
        .bearer = c->api_key,
        .ca_file = c->ca_file,
        .user_agent = build.listen_agent,
        .connections_max = 1,
        .connect_time_max_ms = CONNECT_TIME_MAX_MS,
        .body_max = PAGE_SIZE_MAX,
    };
    enum err err = client_create(&api, &l->api, &why);
    if (err)
        return fail_set(fail, err, "the server's URL: %s", why.text);
    if (str_is_null(c->to))
        return OK;
    err = forward_init(&l->forward, c->to, c->secret, c->user_agent, &why);
    return err ? fail_set(fail, err, "--to: %s", why.text) : OK;
}

static enum err follow(struct listen *l, struct fail *fail)
{
    enum err err = OK;
    while (!err && !l->stopped) {
        err = ask(l, fail);
        if (!err && !l->stopped)
            err = take_answer(l, fail);
    }
    return err;
}

/* The summary, also after an error. Nothing waits for a full pipe any more. */
static void summary(struct listen *l, enum err err)
{
    struct fail ignored;
    if (!l->connected || err == ERR_IO)
        return;
    l->counts.cursor = l->cursor.n ? buf_view(&l->cursor) : STR_NULL;
    l->counts.print_only = str_is_null(l->config->to);
    report_end(&l->report, &l->counts);
    enum err lost = writer_write(STDOUT_FILENO, buf_view(&l->report.lines), l->stop_fd, &ignored);
    (void)lost; /* the end in any case */
}

enum err listen_run(const struct listen_config *config, const char **ret_code, struct fail *fail)
{
    sigset_t before;
    struct listen l = {.config = config, .stop_fd = -1, .last_event_ms = clock_mono_ms()};
    report_init(&l.report, config->json, config->look);
    buf_init(&l.answer.body, SIZE_MAX);
    buf_init(&l.cursor, SIZE_MAX);
    buf_str(&l.cursor, config->cursor);
    enum err err = take_signals(&l, &before, fail);
    if (!err)
        err = open_clients(&l, fail);
    if (!err) {
        err = follow(&l, fail);
        summary(&l, err);
    }
    leave_signals(&l, &before);
    *ret_code = l.code;
    client_destroy(l.api);
    if (!str_is_null(config->to))
        forward_finish(&l.forward);
    report_finish(&l.report);
    buf_finish(&l.answer.body);
    buf_finish(&l.cursor);
    if (l.stop_fd >= 0)
        close(l.stop_fd);
    return err;
}
