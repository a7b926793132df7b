/*
 * The search (sources.md 2): a form as the site's own table posts it, and rows of five texts:
 *
 *     first, last, "Last, First (Senator)", "<a href="/search/view/ptr/UUID/" ...>title</a>", date
 */
#include "sync/sync_search.h"

#include <jansson.h>

#include "paper/cell/printed.h"
#include "paper/paper_id.h"
#include "sync/sync_session.h"

enum {
    PAGE_ROWS = 100, /* the site's maximum */
    ROWS_MAX = 1000000,
    FORM_SIZE_MAX = 4096,
    COLUMNS = 5,
};

enum { FIRST, LAST, FILER, LINK, FILED };

/* --- the request */

static void add_field(struct buf *form, const char *name, struct str value)
{
    static const char digits[] = "0123456789ABCDEF";
    buf_fmt(form, "%s%s=", form->n ? "&" : "", name);
    for (size_t i = 0; i < value.n; i++) {
        unsigned char c = (unsigned char)value.p[i];
        if (ascii_is_alnum(value.p[i]))
            buf_char(form, value.p[i]);
        else
            buf_fmt(form, "%%%c%c", digits[c >> 4], digits[c & 15]);
    }
}

static struct str search_form(int first_year, int last_year, int64_t start, struct arena *arena)
{
    BUF_SCOPED(form, FORM_SIZE_MAX);
    add_field(&form, "start", arena_fmt(arena, "%lld", (long long)start));
    add_field(&form, "length", arena_fmt(arena, "%d", PAGE_ROWS));
    add_field(&form, "report_types", STR("[11]"));
    add_field(&form, "filer_types", STR("[1]"));
    add_field(&form, "submitted_start_date", arena_fmt(arena, "01/01/%04d 00:00:00", first_year));
    add_field(&form, "submitted_end_date", arena_fmt(arena, "12/31/%04d 23:59:59", last_year));
    add_field(&form, "candidate_state", STR(""));
    add_field(&form, "senator_state", STR(""));
    add_field(&form, "office_id", STR(""));
    add_field(&form, "first_name", STR(""));
    add_field(&form, "last_name", STR(""));
    return arena_str(arena, buf_view(&form));
}

/* --- the answer */

static struct str text_of(const json_t *value)
{
    return json_is_string(value) ? str_of(json_string_value(value), json_string_length(value))
                                 : STR_NULL;
}

/* Finds the page that the link points to. */
static bool read_link(struct str link, struct arena *arena, struct ingest_row *row)
{
    static const struct str report = STR_INIT("/search/view/ptr/");
    static const struct str paper = STR_INIT("/search/view/paper/");
    ptrdiff_t at = str_find(link, report);
    size_t skip = report.n;
    row->paper = at < 0;
    if (at < 0) {
        at = str_find(link, paper);
        skip = paper.n;
    }
    if (at < 0)
        return false;
    struct str rest = str_slice(link, (size_t)at + skip, link.n), id;
    row->id = str_split(&rest, '/', &id) ? paper_id_senate(id, arena) : STR_NULL;
    return !str_is_null(row->id);
}

static bool read_row(const json_t *cells, struct arena *arena, struct ingest_row *row)
{
    struct str text[COLUMNS];
    if (json_array_size(cells) < COLUMNS)
        return false;
    for (size_t i = 0; i < COLUMNS; i++) {
        text[i] = arena_str(arena, str_trim(text_of(json_array_get(cells, i))));
        if (str_is_null(text[i]))
            return false;
    }
    row->first = text[FIRST];
    row->last = text[LAST];
    return row->last.n > 0 && read_link(text[LINK], arena, row) &&
           printed_day(text[FILED], &row->filed_day);
}

static enum err read_rows(
    const json_t *root, struct arena *arena, struct ingest_row **ret_rows, size_t *ret_count,
    int64_t *ret_total, struct fail *fail)
{
    const json_t *data = json_object_get(root, "data");
    const json_t *total = json_object_get(root, "recordsFiltered");
    size_t count = json_array_size(data);
    if (!json_is_array(data) || !json_is_integer(total))
        return fail_set(fail, ERR_INVALID, "the answer has no `data` and `recordsFiltered`");
    struct ingest_row *rows = ARENA_ARRAY(arena, struct ingest_row, count ? count : 1);
    for (size_t i = 0; i < count; i++)
        if (!read_row(json_array_get(data, i), arena, &rows[i]))
            return fail_set(fail, ERR_INVALID, "row %zu has an unknown format", i + 1);
    *ret_rows = rows;
    *ret_count = count;
    *ret_total = json_integer_value(total);
    return OK;
}

enum err sync_search_read(
    struct str json, struct arena *arena, struct ingest_row **ret_rows, size_t *ret_count,
    int64_t *ret_total, struct fail *fail)
{
    json_error_t error;
    json_t *root = json_loadb(json.p, json.n, JSON_REJECT_DUPLICATES, &error);
    if (!root)
        return fail_set(fail, ERR_INVALID, "line %d: %s", error.line, error.text);
    enum err err = read_rows(root, arena, ret_rows, ret_count, ret_total, fail);
    json_decref(root);
    return err;
}

/* --- page by page */

static enum err ask_page(
    struct sync *s, struct str form, struct arena *arena, struct str *ret_json, struct fail *fail)
{
    const struct session_question question = {STR("/search/report/data/"), form};
    struct fetch_answer answer;
    TRY(session_ask(s, &question, arena, &answer, fail));
    *ret_json = answer.body;
    if (answer.status >= 500)
        return fail_set(
            fail, ERR_UNAVAILABLE, "%.*s answers the search with status %d: try again later",
            STR_ARG(s->site), answer.status);
    if (answer.status != 200)
        return sync_wall(s, fail, "answers the search with status %d", answer.status);
    return OK;
}

/* *ret_count: the rows of the page; 0: the page does not exist. */
static enum err take_page(
    struct sync *s, struct str form, struct arena *arena, size_t *ret_count, int64_t *ret_total,
    struct fail *fail)
{
    struct fail why;
    struct str json;
    struct ingest_row *rows;
    TRY(ask_page(s, form, arena, &json, fail));
    if (sync_search_read(json, arena, &rows, ret_count, ret_total, &why))
        return sync_wall(s, fail, "answered the search in an unknown format (%s)", why.text);
    s->tally->indexes++;
    return ingest_search(s->config->ingest, rows, *ret_count, s->config->now_ms(), fail);
}

enum err sync_search(struct sync *s, int first_year, int last_year, struct fail *fail)
{
    ARENA_SCOPED(arena);
    int64_t start = 0, total = 0;
    size_t count = 0;
    enum err err = OK;
    do {
        arena_reset(&arena);
        struct str form = search_form(first_year, last_year, start, &arena);
        err = take_page(s, form, &arena, &count, &total, fail);
        start += (int64_t)count;
    } while (!err && count > 0 && start < total && start < ROWS_MAX);
    for (int year = first_year; year <= last_year && !err && start >= total; year++)
        err = ingest_searched(s->config->ingest, year, s->config->now_ms(), fail);
    return err;
}
