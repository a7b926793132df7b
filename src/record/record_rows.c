/* The rows of a snapshot's files; see record_rows.h. */
#include "record/record_rows.h"

#include "feed/feed.h"
#include "noun/csv.h"
#include "noun/filing.h"
#include "noun/trade.h"
#include "noun/trade_read.h"
#include "store/public/trade.h"

const struct record_column record_columns[RECORD_COLUMNS] = {
    {"filing_id", "string", "The id of the filing, in filings.jsonl.gz.", true},
    {"page", "integer", "The page of the document that has the row, if it is known.", false},
    {"row", "integer", "The number of the trade within the filing.", true},
    {"conflict_reason", "string", "Why the trade has a conflict signal; empty: it has none.",
     false},
};

/* Puts `b` into the file and empties it. */
static void flush(struct record_file *file, struct buf *b)
{
    record_file_put(file, buf_view(b));
    buf_reset(b);
}

typedef void put_trade(struct buf *b, const struct feed_row *row);

static void each_trade(
    struct record_file *file, const struct feed *feed, const struct record_line *line,
    put_trade *put)
{
    BUF_SCOPED(b, SIZE_MAX);
    MEM_UNFILLED struct feed_page page;
    struct feed_filter filter = FEED_FILTER_NONE;
    struct cursor after = {0};
    const struct cursor *from = NULL;
    filter.line_ms = line->until_ms;
    do {
        feed_trades(feed, &filter, from, FEED_PAGE_MAX, &page);
        for (size_t i = 0; i < page.count; i++)
            put(&b, &page.rows[i]);
        file->rows += (int64_t)page.count;
        flush(file, &b);
        if (page.more)
            after = page.next;
        from = &after;
    } while (page.more && !file->system_error);
}

static void put_trade_csv(struct buf *b, const struct feed_row *row)
{
    ARENA_SCOPED(arena);
    const struct shape_extra extra = feed_row_extra(row, RECORD_FIELDS);
    struct trade trade;
    shape_trade_read(row->head, row->tail, &arena, &trade);
    shape_trade_csv(b, row->head, &extra, false);
    buf_fmt(b, ",%.*s,", STR_ARG(trade_id_filing(trade.id)));
    if (row->report.page)
        buf_i64(b, row->report.page);
    buf_char(b, ',');
    buf_i64(b, trade_id_row(trade.id));
    buf_char(b, ',');
    shape_csv_value(b, str_is_null(trade.conflict_reason) ? STR("") : trade.conflict_reason);
    shape_csv_end(b);
}

static void put_trades_csv(
    struct record_file *file, const struct feed *feed, const struct record_line *line)
{
    BUF_SCOPED(b, SIZE_MAX);
    shape_trade_csv_header(&b, RECORD_FIELDS);
    for (int i = 0; i < RECORD_COLUMNS; i++)
        buf_fmt(&b, ",%s", record_columns[i].name);
    shape_csv_end(&b);
    flush(file, &b);
    each_trade(file, feed, line, put_trade_csv);
}

static void put_trade_json(struct buf *b, const struct feed_row *row)
{
    const struct shape_extra extra = feed_row_extra(row, RECORD_FIELDS);
    buf_str(b, row->head);
    shape_extra_json(b, &extra);
    buf_str(b, row->tail);
    buf_char(b, '\n');
}

static void put_trades_json(
    struct record_file *file, const struct feed *feed, const struct record_line *line)
{
    each_trade(file, feed, line, put_trade_json);
}

static void put_filings(
    struct record_file *file, const struct feed *feed, const struct record_line *line)
{
    BUF_SCOPED(b, SIZE_MAX);
    MEM_UNFILLED struct feed_page page;
    struct feed_filings_filter filter = FEED_FILINGS_FILTER_NONE;
    struct cursor after = {0};
    const struct cursor *from = NULL;
    filter.until_ms = line->until_ms;
    do {
        feed_filings(feed, &filter, from, FEED_PAGE_MAX, &page);
        for (size_t i = 0; i < page.count; i++) {
            buf_str(&b, page.rows[i].head);
            buf_char(&b, '\n');
        }
        file->rows += (int64_t)page.count;
        flush(file, &b);
        if (page.more)
            after = page.next;
        from = &after;
    } while (page.more && !file->system_error);
}

static void put_politicians(
    struct record_file *file, const struct feed *feed, const struct record_line *line)
{
    BUF_SCOPED(b, SIZE_MAX);
    MEM_UNFILLED struct feed_people_page page;
    struct feed_people_filter filter = FEED_PEOPLE_FILTER_NONE;
    struct cursor after = {0};
    const struct cursor *from = NULL;
    filter.until_ms = line->until_ms;
    do {
        feed_people(feed, &filter, from, FEED_PAGE_MAX, line->today, &page);
        for (size_t i = 0; i < page.count; i++) {
            shape_object_json(&b, &shape_politician_summary, &page.rows[i]);
            buf_char(&b, '\n');
        }
        file->rows += (int64_t)page.count;
        flush(file, &b);
        if (page.more)
            after = page.next;
        from = &after;
    } while (page.more && !file->system_error);
}

const struct record_part record_parts[RECORD_PARTS] = {
    {"trades-csv", "trades.csv.gz", &shape_trade, true, true, put_trades_csv},
    {"trades", "trades.jsonl.gz", &shape_trade, false, true, put_trades_json},
    {"filings", "filings.jsonl.gz", &shape_filing, false, false, put_filings},
    {"politicians", "politicians.jsonl.gz", &shape_politician_summary, false, false,
     put_politicians},
};
