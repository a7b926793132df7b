/* See report.h. */
#include "listen/report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/hidden.h"
#include "base/instant.h"
#include "base/json_out.h"

enum { STATUS_COLUMNS = 6, MS_COLUMNS = 5, TYPE_COLUMNS = 16, TIME_BEGINS = 11, TIME_SIZE = 8 };

void report_init(struct report *r, bool json, const struct listen_look *look)
{
    *r = (struct report){.json = json, .look = look};
    buf_init(&r->lines, SIZE_MAX);
}

void report_finish(struct report *r)
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

void report_start(struct report *r, const struct report_start *s)
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

void report_event(struct report *r, const struct report_event *e)
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

void report_end(struct report *r, const struct report_end *e)
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
