/* Makes editions; see compat.h. */
#include "record/compat.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/hash.h"
#include "http/gzip.h"
#include "noun/csv.h"
#include "record/compat_row.h"
#include "store/public/trade_report.h"

enum { TEXT_MAX = 1 << 30, NEWEST = 5000 };

struct compat {
    atomic_int holders;
    struct str base_url; /* while it is made */
    struct arena arena;  /* of the files */
    struct compat_file *files;
    size_t count, room;
};

/* --- the rows */

struct rows {
    struct arena arena;
    struct compat_row **items;
    size_t count, room;
    int64_t line_ms;
    struct trade_reports reports;
};

static enum err add_row(
    void *ctx, const struct trade_row *row, const struct trade_source *source,
    const struct trade_filer *filer)
{
    struct rows *rows = ctx;
    if (row->damaged)
        return OK;
    struct compat_row *r = ARENA_NEW(&rows->arena, struct compat_row);
    int32_t filed = instant_day_new_york(source->filed_at);
    struct trade_report report = trade_report_of(&rows->reports, row, source->filed_at, filed);
    report = lateness_known(&report, rows->line_ms);
    struct lateness lateness = lateness_of(row->trade.values.trade_date, &report);
    compat_row_fill(r, row, source, filer, lateness_status(&lateness), &rows->arena);
    rows->items = mem_grow(rows->items, rows->count, &rows->room, sizeof *rows->items);
    rows->items[rows->count++] = r;
    return OK;
}

/* By a value; then the newest report first, and rows in the order of the document, which a Senate
 * page numbers backwards. */
static int compare(const void *a, const void *b, void *key)
{
    const struct compat_row *x = *(struct compat_row *const *)a;
    const struct compat_row *y = *(struct compat_row *const *)b;
    const enum compat_value *by = key;
    int order = str_cmp(x->v[*by], y->v[*by]);
    if (!order)
        order = (x->filed < y->filed) - (x->filed > y->filed);
    if (!order)
        order = str_cmp(x->v[V_FILING], y->v[V_FILING]);
    int rows = (x->row > y->row) - (x->row < y->row);
    return order ? order : x->chamber == CHAMBER_SENATE ? -rows : rows;
}

/* --- the files */

static const struct spec {
    enum chamber chamber;       /* CHAMBER_NONE: both */
    const char *before, *after; /* of the path; the value of `split` is between them */
    const struct compat_columns *rows, *head, *end;
    enum compat_value order;
    enum compat_value split; /* a file for each value; V_NONE: one */
    enum compat_value group; /* an object for each value, with its rows in `list`; V_NONE: none */
    const char *list;
    const char
        *member; /* the head is in this member of the one object; NULL: an array of objects */
    size_t max;  /* rows; 0: all */
} specs[] = {
#define HOUSE "house-stock-watcher/data/"
#define SENATE "senate-stock-watcher/"
#define REPOSITORY "timothycarambat/senate-stock-watcher-data/"
#define EARLY SENATE REPOSITORY "master/"
#define SUCCESSOR "congress-trading-monitor/public/data/"
#define DAILY "transaction_report_for_"
#define ALL "all_transactions"
#define REPORTS .list = "transactions", .group = V_FILING
#define SENATE_REPORTS REPORTS, .head = &compat_senate_filing, .end = &compat_senate_filing_end
    {CHAMBER_HOUSE, HOUSE ALL, ".json", &compat_house},
    {CHAMBER_HOUSE, HOUSE ALL, ".csv", &compat_house},
    {CHAMBER_HOUSE, HOUSE DAILY, ".json", &compat_house_day, &compat_house_filing,
     &compat_house_filing_end, .split = V_FILED_NAME, REPORTS},
    {CHAMBER_SENATE, SENATE "aggregate/" ALL, ".json", &compat_senate},
    {CHAMBER_SENATE, SENATE "aggregate/" ALL, ".csv", &compat_senate},
    {CHAMBER_SENATE, EARLY "aggregate/" ALL, ".json", &compat_senate_early},
    {CHAMBER_SENATE, EARLY "aggregate/" ALL, ".csv", &compat_senate_early},
    {CHAMBER_SENATE, SENATE "aggregate/all_daily_summaries", ".json", &compat_senate_day,
     SENATE_REPORTS},
    {CHAMBER_SENATE, SENATE "aggregate/all_transactions_for_senators", ".json", &compat_senate_long,
     SENATE_REPORTS, .order = V_FILER},
    {CHAMBER_SENATE, SENATE "aggregate/all_ticker_transactions", ".json", &compat_senate_long,
     &compat_senate_ticker, .order = V_TICKER, .group = V_TICKER, .list = "transactions"},
    {CHAMBER_SENATE, SENATE "data/" DAILY, ".json", &compat_senate_day, SENATE_REPORTS,
     .split = V_FILED_NAME},
    {CHAMBER_NONE, SUCCESSOR "trades", ".json", &compat_successor, .max = NEWEST},
    {CHAMBER_NONE, SUCCESSOR "filer/", ".json", &compat_successor, &compat_successor_filer,
     .order = V_FILER, .split = V_FILER, .group = V_FILER, .list = "trades", .member = "filer"},
};

/* Listings of the files whose path begins like this, as buckets have them; or as the code host has
 * a folder, with the addresses of its files. */
static const struct {
    const char *path, *bucket, *prefix;
    const char *raw; /* of the code host: where the files are */
} listings[] = {
    {HOUSE "filemap.xml", "house-stock-watcher/", "data/" DAILY},
    {"house-stock-watcher/", "house-stock-watcher/", ""},
    {SENATE "aggregate/filemap.xml", SENATE, "data/" DAILY},
    {SENATE, SENATE, ""},
    {SENATE "repos/" REPOSITORY "contents/data", SENATE, "data/" DAILY, EARLY},
};

/* Other addresses: what begins with `from` is what begins with `to`. */
static const struct {
    struct str from, to;
} aliases[] = {
    {STR_INIT("house-stock-watcher/api"), STR_INIT(HOUSE "all_transactions.json")},
    {STR_INIT("house-stock-watcher/api/all_transactions"), STR_INIT(HOUSE "all_transactions.json")},
    {STR_INIT("house-stock-watcher"), STR_INIT("house-stock-watcher/")},
    {STR_INIT(SENATE "api"), STR_INIT(SENATE "aggregate/all_transactions.json")},
    {STR_INIT(SENATE "api/all_transactions"), STR_INIT(SENATE "aggregate/all_transactions.json")},
    {STR_INIT("senate-stock-watcher"), STR_INIT(SENATE)},
    {STR_INIT(SENATE "timothycarambat/senate-stock-watcher-data/main/"), STR_INIT(EARLY)},
    {STR_INIT(EARLY), STR_INIT(SENATE)},
};

static enum err add_file(
    struct compat *compat, struct str path, const char *type, const struct buf *text,
    struct fail *fail)
{
    BUF_SCOPED(gzip, SIZE_MAX);
    if (text->overflow)
        return fail_set(fail, ERR_LIMIT, "\"%.*s\" is too large", STR_ARG(path));
    gzip_put_small(&gzip, buf_view(text), GZIP_LARGE_PAGE);
    compat->files = mem_grow(compat->files, compat->count, &compat->room, sizeof *compat->files);
    compat->files[compat->count++] = (struct compat_file){
        .path = arena_str(&compat->arena, path),
        .type = str_from(type),
        .gzip = arena_str(&compat->arena, buf_view(&gzip)),
        .hash = hash_str(buf_view(text)),
    };
    return OK;
}

static void put_columns(
    struct json_out *j, const struct compat_columns *columns, const struct compat_row *r)
{
    for (size_t i = 0; columns && i < columns->count; i++) {
        struct str value = r->v[columns->items[i].value];
        json_key(j, str_from(columns->items[i].name));
        if (columns->items[i].value >= V_AS_IT_IS && !str_is_null(value))
            json_raw(j, value);
        else
            json_str(j, value);
    }
}

static void put_csv(struct buf *b, const struct spec *spec, struct compat_row **rows, size_t n)
{
    for (size_t i = 0; i <= n; i++) {
        for (size_t c = 0; c < spec->rows->count; c++) {
            const struct compat_column *column = &spec->rows->items[c];
            struct str value = i ? rows[i - 1]->v[column->value] : str_from(column->name);
            buf_text(b, c ? "," : "");
            shape_csv_value(b, str_is_null(value) ? STR("") : value);
        }
        shape_csv_end(b);
    }
}

static bool same(enum compat_value value, const struct compat_row *a, const struct compat_row *b)
{
    return str_eq(a->v[value], b->v[value]);
}

static void begin_group(struct json_out *j, const struct spec *spec, const struct compat_row *r)
{
    json_object_begin(j);
    if (spec->member) {
        json_key(j, str_from(spec->member));
        json_object_begin(j);
    }
    put_columns(j, spec->head, r);
    if (spec->member)
        json_object_end(j);
    json_key(j, str_from(spec->list));
    json_array_begin(j);
}

static void put_json(struct buf *b, const struct spec *spec, struct compat_row **rows, size_t n)
{
    struct json_out j;
    json_init(&j, b);
    if (!spec->member)
        json_array_begin(&j);
    for (size_t i = 0; i < n; i++) {
        if (spec->group && (!i || !same(spec->group, rows[i - 1], rows[i])))
            begin_group(&j, spec, rows[i]);
        json_object_begin(&j);
        put_columns(&j, spec->rows, rows[i]);
        json_object_end(&j);
        if (spec->group && (i + 1 == n || !same(spec->group, rows[i], rows[i + 1]))) {
            json_array_end(&j);
            put_columns(&j, spec->end, rows[i]);
            json_object_end(&j);
        }
    }
    if (!spec->member)
        json_array_end(&j);
}

static enum err make_file(
    struct compat *compat, const struct spec *spec, struct compat_row **rows, size_t n,
    struct fail *fail)
{
    ARENA_SCOPED(arena);
    BUF_SCOPED(text, TEXT_MAX);
    bool csv = str_eq(str_from(spec->after), STR(".csv"));
    struct str part = spec->split ? rows[0]->v[spec->split] : STR("");
    struct str path = arena_fmt(&arena, "%s%.*s%s", spec->before, STR_ARG(part), spec->after);
    (csv ? put_csv : put_json)(&text, spec, rows, n);
    return add_file(
        compat, path, csv ? "text/csv; charset=utf-8" : "application/json", &text, fail);
}

static enum err make_files(
    struct compat *compat, const struct spec *spec, const struct rows *rows, struct fail *fail)
{
    enum compat_value order = spec->order;
    struct compat_row **of = mem_array(rows->count + 1, sizeof *of);
    size_t n = 0;
    enum err err = OK;
    for (size_t i = 0; i < rows->count; i++)
        if (!spec->chamber || rows->items[i]->chamber == spec->chamber)
            of[n++] = rows->items[i];
    qsort_r(of, n, sizeof *of, compare, &order);
    if (spec->max && n > spec->max)
        n = spec->max;
    if (!spec->split)
        err = make_file(compat, spec, of, n, fail);
    for (size_t i = 0, end; i < n && spec->split && !err; i = end) {
        for (end = i + 1; end < n && same(spec->split, of[i], of[end]);)
            end++;
        err = make_file(compat, spec, of + i, end - i, fail);
    }
    mem_free(of);
    return err;
}

/* --- lists of files */

static enum err make_listing(struct compat *compat, size_t which, struct fail *fail)
{
    ARENA_SCOPED(arena);
    BUF_SCOPED(b, TEXT_MAX);
    struct str bucket = str_from(listings[which].bucket), base = compat->base_url;
    struct str begin = arena_fmt(&arena, "%s%s", bucket.p, listings[which].prefix);
    const char *raw = listings[which].raw;
    if (raw)
        buf_char(&b, '[');
    else
        buf_fmt(
            &b,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\"><Name>%.*s</Name>"
            "<Prefix></Prefix><Marker></Marker><IsTruncated>false</IsTruncated>",
            (int)bucket.n - 1, bucket.p);
    for (size_t i = 0; i < compat->count; i++) {
        const struct compat_file *file = &compat->files[i];
        if (!str_starts(file->path, begin) || str_find(file->path, STR("timothycarambat")) >= 0 ||
            str_ends(file->path, STR("/")))
            continue;
        struct str key = str_slice(file->path, bucket.n, file->path.n);
        if (raw) /* addresses and names of files need no escapes */
            buf_fmt(
                &b,
                "%s{\"name\":\"%.*s\",\"path\":\"%.*s\",\"type\":\"file\","
                "\"download_url\":\"%.*s/compat/%s%.*s\"}",
                b.n > 1 ? "," : "", STR_ARG(str_slice(key, sizeof "data/" - 1, key.n)),
                STR_ARG(key), STR_ARG(base), raw, STR_ARG(key));
        else
            buf_fmt(
                &b, "<Contents><Key>%.*s</Key><ETag>&quot;%016llx&quot;</ETag></Contents>",
                STR_ARG(key), (unsigned long long)file->hash);
    }
    buf_text(&b, raw ? "]" : "</ListBucketResult>\n");
    return add_file(
        compat, str_from(listings[which].path), raw ? "application/json" : "application/xml", &b,
        fail);
}

static enum err make_all(struct compat *compat, const struct rows *rows, struct fail *fail)
{
    for (size_t i = 0; i < sizeof specs / sizeof *specs; i++)
        TRY(make_files(compat, &specs[i], rows, fail));
    for (size_t i = 0; i < sizeof listings / sizeof *listings; i++)
        TRY(make_listing(compat, i, fail));
    return OK;
}

enum err compat_make(
    struct db *db, int64_t line_ms, struct str base_url, struct compat **ret, struct fail *fail)
{
    int64_t before_ms = line_ms == INSTANT_NONE ? INT64_MAX : line_ms;
    struct rows rows = {.line_ms = line_ms};
    struct compat *compat = MEM_NEW(struct compat);
    compat->base_url = base_url;
    atomic_init(&compat->holders, 1);
    trade_reports_init(&rows.reports);
    enum err err = trade_reports_load(db, &rows.reports, fail);
    if (!err)
        err = trade_each_source(db, before_ms, add_row, &rows, fail);
    if (!err)
        err = make_all(compat, &rows, fail);
    trade_reports_finish(&rows.reports);
    mem_free(rows.items);
    arena_finish(&rows.arena);
    if (err)
        compat_release(compat);
    else
        *ret = compat;
    return err;
}

void compat_hold(struct compat *compat)
{
    atomic_fetch_add(&compat->holders, 1);
}

void compat_release(struct compat *compat)
{
    if (!compat || atomic_fetch_sub(&compat->holders, 1) > 1)
        return;
    arena_finish(&compat->arena);
    mem_free(compat->files);
    mem_free(compat);
}

static const struct compat_file *find(const struct compat *compat, struct str path)
{
    for (size_t i = 0; i < compat->count; i++)
        if (str_eq(compat->files[i].path, path))
            return &compat->files[i];
    return NULL;
}

const struct compat_file *compat_find(const struct compat *compat, struct str path)
{
    ARENA_SCOPED(arena);
    const struct compat_file *file = find(compat, path);
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases && !file; i++) {
        struct str from = aliases[i].from, to = aliases[i].to;
        bool folder = str_ends(from, STR("/"));
        if (folder ? !str_starts(path, from) : !str_eq(path, from))
            continue;
        path = arena_fmt(&arena, "%.*s%.*s", STR_ARG(to), STR_ARG(str_slice(path, from.n, path.n)));
        file = find(compat, path);
    }
    return file;
}
