/* Writes the access log; see access_log.h. */
#include "edge/access_log.h"

#include "base/instant.h"
#include "base/log.h"

enum { LINE_SIZE = 512 };

/* The text between the values, for each format. */
struct access_log_words {
    struct str time, method, route, status, bytes, took, id, key, end;
};

static const struct access_log_words words[] = {
    [LOG_LOGFMT] =
        {STR_INIT("time="), STR_INIT(" level=info event=request method="), STR_INIT(" route="),
         STR_INIT(" status="), STR_INIT(" bytes="), STR_INIT(" us="), STR_INIT(" id="),
         STR_INIT(" key="), STR_INIT("\n")},
    [LOG_JSON] =
        {STR_INIT("{\"time\":\""),
         STR_INIT("\",\"level\":\"info\",\"event\":\"request\",\"method\":\""),
         STR_INIT("\",\"route\":\""), STR_INIT("\",\"status\":"), STR_INIT(",\"bytes\":"),
         STR_INIT(",\"us\":"), STR_INIT(",\"id\":\""), STR_INIT("\",\"key\":\""),
         STR_INIT("\"}\n")},
    [LOG_TEXT] =
        {STR_INIT(""), STR_INIT("Z "), STR_INIT(" "), STR_INIT(" "), STR_INIT(", "),
         STR_INIT(" bytes, "), STR_INIT(" us, "), STR_INIT(" "), STR_INIT("\n")},
};

/* The time of a line. Each thread prints it once per millisecond. */
static struct str time_text(int64_t now_ms)
{
    static _Thread_local int64_t printed_ms = INSTANT_NONE;
    static _Thread_local char text[INSTANT_TEXT_SIZE];
    if (printed_ms != now_ms) {
        instant_print(now_ms, text);
        printed_ms = now_ms;
    }
    return str_of(text, sizeof text);
}

void access_log_note(
    const struct http_exchange *x, const char *route, const char *key_prefix, int64_t took_ns)
{
    enum log_format format = log_format();
    const struct access_log_words *w = &words[format];
    struct str time = time_text(http_now_ms(x));
    struct str method = http_method_name(http_request(x)->method);
    char space[LINE_SIZE];
    struct buf b = buf_over(space, sizeof space);

    buf_str(&b, w->time);
    buf_str(&b, format == LOG_TEXT ? log_short_time(time) : time);
    buf_str(&b, w->method);
    buf_str(&b, method.n ? method : STR("other"));
    buf_str(&b, w->route);
    buf_text(&b, route);
    buf_str(&b, w->status);
    buf_i64(&b, http_reply_status(x));
    buf_str(&b, w->bytes);
    buf_u64(&b, http_reply_body_size(x));
    buf_str(&b, w->took);
    buf_i64(&b, took_ns / 1000);
    buf_str(&b, w->id);
    buf_str(&b, http_id(x));
    if (key_prefix[0]) {
        buf_str(&b, w->key);
        buf_text(&b, key_prefix);
    }
    buf_str(&b, w->end);
    if (!b.overflow)
        log_lane_put(buf_view(&b));
}
