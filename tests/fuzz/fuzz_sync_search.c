/* A page of the Senate's search: either an error with a reason, or rows with an id, a last name and
 * a day. The same rows, written in the site's format, parse the same. */
#include "fuzz.h"

#include "base/json_out.h"
#include "paper/paper_id.h"
#include "sync/sync_search.h"

enum { PAGE_MAX = 64 * 1024 * 1024 };

static void put_link(struct buf *b, const struct ingest_row *row)
{
    struct buf link;
    buf_init(&link, 1000);
    buf_fmt(
        &link, "<a href=\"/search/view/%s/%.*s/\">", row->paper ? "paper" : "ptr",
        STR_ARG(row->id));
    json_quote(b, buf_view(&link));
    buf_finish(&link);
}

static void put_page(struct buf *b, const struct ingest_row *rows, size_t count)
{
    buf_fmt(b, "{\"recordsFiltered\":%zu,\"data\":[", count);
    for (size_t i = 0; i < count; i++) {
        int year, month, day;
        day_to_civil(rows[i].filed_day, &year, &month, &day);
        buf_text(b, i ? ",[" : "[");
        json_quote(b, rows[i].first);
        buf_char(b, ',');
        json_quote(b, rows[i].last);
        buf_text(b, ",\"\",");
        put_link(b, &rows[i]);
        buf_fmt(b, ",\"%02d/%02d/%04d\"]", month, day, year);
    }
    buf_text(b, "]}");
}

static void check_row(const struct ingest_row *row, struct arena *arena)
{
    assert(str_eq(paper_id_senate(row->id, arena), row->id));
    assert(row->last.n > 0 && row->filed_day != DAY_NONE);
}

static void check_again(const struct ingest_row *rows, size_t count, struct arena *arena)
{
    struct buf page;
    struct ingest_row *again;
    struct fail fail;
    size_t again_count;
    int64_t total;
    buf_init(&page, PAGE_MAX);
    put_page(&page, rows, count);
    enum err err = sync_search_read(buf_view(&page), arena, &again, &again_count, &total, &fail);
    assert(!err && again_count == count && total == (int64_t)count);
    for (size_t i = 0; i < count; i++) {
        assert(str_eq(again[i].id, rows[i].id) && str_eq(again[i].last, rows[i].last));
        assert(str_eq(again[i].first, rows[i].first) && again[i].paper == rows[i].paper);
        assert(again[i].filed_day == rows[i].filed_day);
    }
    buf_finish(&page);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct ingest_row *rows;
    struct fail fail = {.text = ""};
    size_t count;
    int64_t total;
    arena_init(&arena);
    if (sync_search_read(fuzz_text(data, size), &arena, &rows, &count, &total, &fail)) {
        assert(fail.text[0]);
    } else {
        for (size_t i = 0; i < count; i++)
            check_row(&rows[i], &arena);
        check_again(rows, count, &arena);
    }
    arena_finish(&arena);
    return 0;
}
