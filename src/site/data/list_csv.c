/* Lists as CSV; see list_csv.h. */
#include "site/data/list_csv.h"

#include "base/hidden.h"
#include "noun/csv.h"
#include "site/frame/known_view.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/page_visitor.h"
#include "site/frame/reader.h"

static const struct str MEDIA_TYPE = STR_INIT("text/csv; charset=utf-8; header=present");

/* --- lines */

static void begin_value(struct list_csv_line *line)
{
    if (line->any)
        buf_char(line->to, ',');
    line->any = true;
}

void list_csv_text(struct list_csv_line *line, struct str value)
{
    BUF_SCOPED(shown, SIZE_MAX);
    begin_value(line);
    hidden_show(&shown, value);
    shape_csv_value_guarded(line->to, buf_view(&shown));
}

void list_csv_number(struct list_csv_line *line, int64_t value)
{
    begin_value(line);
    buf_i64(line->to, value);
}

void list_csv_instant(struct list_csv_line *line, int64_t at)
{
    begin_value(line);
    if (at != INSTANT_NONE)
        instant_put(line->to, at);
}

void list_csv_end(struct list_csv_line *line)
{
    buf_text(line->to, "\r\n");
    line->any = false;
}

/* --- replies */

bool list_csv_may(struct page_call *call, struct fail *fail)
{
    bool may = reader_csv_rows(call) > 0;
    if (!may && (call->visitor.signed_in || call->key))
        page_problem(
            call, PROBLEM_FORBIDDEN,
            STR("CSV and files of data come with the Wolf, Pack and Den plans. Everyone can read "
                "the lists as JSON: see the documentation."));
    else if (!may)
        page_visitor_ask(call, fail);
    return may;
}

static struct str file_name(struct page_call *call, const char *name)
{
    char day[DAY_TEXT_SIZE];
    day_print(instant_day_new_york(call->now_ms), day);
    return arena_fmt(call->arena, "stockact-%s-%.*s.csv", name, DAY_TEXT_SIZE, day);
}

static enum http_stream_next turn(struct http_exchange *x, struct buf *out)
{
    struct list_csv *csv = page_stream_ctx(x);
    if (!csv->begun)
        csv->put_header(out);
    rcu_read_begin();
    bool more = csv->put(csv, csv->begun ? &csv->next : NULL, out, &csv->next);
    rcu_read_end();
    csv->begun = true;
    return more ? HTTP_STREAM_MORE : HTTP_STREAM_END;
}

static void ended(struct http_exchange *x)
{
}

static const struct http_streamer streamer = {.turn = turn, .ended = ended, .finite = true};

void list_csv_stream(
    struct page_call *call, const struct http_streamer *by, void *ctx, const char *name)
{
    known_header_put(call);
    page_surrogate(call, "list", STR("trades"));
    page_stream(call, by, ctx, MEDIA_TYPE, file_name(call, name));
}

void list_csv_put(struct page_call *call, const char *name)
{
    known_header_put(call);
    page_download(call, MEDIA_TYPE, file_name(call, name));
}

void list_csv_reply(struct page_call *call, const struct list_csv *csv)
{
    struct list_csv *running = ARENA_NEW(call->arena, struct list_csv);
    *running = *csv;
    list_csv_stream(call, &streamer, running, csv->name);
}
