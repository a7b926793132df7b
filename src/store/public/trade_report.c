/* First reports of trades; see trade_report.h. */
#include "store/public/trade_report.h"

#include <stdlib.h>

#include "store/public/draft_shown.h"

/* A reader may see publications this much later. What was published in this time before a fact
 * settled is taken as not known before. */
enum { SETTLES_MS = 48 * HOUR_MS };

struct trade_report_backfill {
    int64_t publication_no, at;
};

/* first_filed: DAY_NONE: the report of the trade. */
struct first_known {
    enum first_report first;
    int32_t first_filed;
};

struct trade_report_filing {
    int64_t no;
    int64_t
        settled_at; /* when the newest of the reports that it amends was published; 0: none is */
    enum first_report first; /* before: FIRST_REPORT_MISSING */
};

struct trade_report_row {
    int64_t filing_no;
    int64_t row;
    int64_t settled_at; /* when the earlier report was published; 0: it is missing */
    struct first_known now, before;
    bool has_before;
};

void trade_reports_init(struct trade_reports *r)
{
    *r = (struct trade_reports){0};
}

void trade_reports_finish(struct trade_reports *r)
{
    mem_free(r->backfills);
    mem_free(r->filings);
    mem_free(r->rows);
}

/* --- SQL */

#define PUBLIC(filing) filing ".state IN ('published', 'amended')"

#define IS_AMENDMENT(filing)                                                                       \
    "EXISTS (SELECT 1 FROM draft a WHERE a.filing_id = " filing ".id AND a.amendment > 0)"

/* Rows that are no trade of another filing. Bulk history has no draft; its rows are numbered. */
#define ROWS_OF(filing)                                                                            \
    "CASE WHEN " DRAFT_PUBLISHED(                                                                  \
        filing) " IS NULL THEN (SELECT max(t.position) FROM trade t"                               \
                " WHERE t.id > " filing ".id || '-' AND t.id < " filing ".id || '.')"              \
                " ELSE (SELECT count(*) FROM draft_row r WHERE r.removed_at IS NULL"               \
                " AND (r.trade_id IS NULL OR r.trade_id = 'new')"                                  \
                " AND r.draft_no = " DRAFT_PUBLISHED(filing) ") END"

#define SHOWN_OF(filing)                                                                           \
    "(SELECT count(*) FROM trade t WHERE t.id > " filing ".id || '-' AND t.id < " filing           \
    ".id || '.' AND t.withdrawn_at IS NULL)"

#define MAX_IF(condition) " max(CASE WHEN " condition " THEN 1 ELSE 0 END)"

#define IS_MISSING(filing)                                                                         \
    IS_AMENDMENT(filing)                                                                           \
    " AND NOT EXISTS (SELECT 1 FROM filing o WHERE o.no = " filing ".amends_no AND " PUBLIC("o") ")"

/* Amendments chosen by `from`, with the reports that they amend, one after the other, and when the
 * newest of these was published. */
#define AMENDMENTS(from)                                                                           \
    "WITH RECURSIVE step(root, no, id, amends_no, at) AS"                                          \
    " (SELECT f.no, f.no, f.id, f.amends_no, CAST(0 AS BIGINT)" from                               \
    " UNION SELECT s.root, f.no, f.id, f.amends_no, f.published_at FROM step s JOIN filing f"      \
    " ON f.no = s.amends_no WHERE " PUBLIC(                                                        \
        "f") ")"                                                                                   \
             " SELECT s.root," MAX_IF(IS_MISSING("s")) "," MAX_IF(                                 \
                 "s.no <> s.root AND " ROWS_OF("s") " > " SHOWN_OF(                                \
                     "s")) ", max(s.at) FROM step s GROUP BY s.root ORDER BY s.root"

#define ALL_AMENDMENTS                                                                             \
    " FROM draft d JOIN filing f ON f.id = d.filing_id WHERE d.amendment > 0 AND " PUBLIC("f")
#define ONE_AMENDMENT " FROM filing f WHERE f.no = $1 AND " PUBLIC("f") " AND " IS_AMENDMENT("f")

/* The index needs the first condition. */
#define MARKED_ROWS                                                                                \
    "SELECT f.no, r.position FROM draft_row r JOIN draft d ON d.no = r.draft_no"                   \
    " JOIN filing f ON f.id = d.filing_id WHERE r.status <> 'new' AND r.status = 'amended'"        \
    " AND r.removed_at IS NULL AND " PUBLIC("f") " AND d.no = " DRAFT_PUBLISHED("f")
#define BY_ROW " ORDER BY f.no, r.position"

#define REPEATED_ROWS                                                                              \
    "SELECT f.no, t.position, o.filed_at, CASE WHEN " IS_AMENDMENT(                                \
        "o") " THEN 1 ELSE 0 END, o.published_at"                                                  \
             " FROM draft_row r JOIN draft d ON d.no = r.draft_no JOIN filing o ON o.id = "        \
             "d.filing_id"                                                                         \
             " JOIN trade t ON t.id = r.trade_id JOIN filing f ON f.no = t.filing_no"              \
             " WHERE r.trade_id IS NOT NULL AND r.removed_at IS NULL AND r.status <> 'deleted'"    \
             " AND " PUBLIC("o") " AND d.no = " DRAFT_PUBLISHED(                                   \
                 "o") " AND o.filed_at < f.filed_at"
#define BY_TRADE " ORDER BY f.no, t.position, o.filed_at"

/* --- loading */

static enum err load_backfills(struct db *db, struct trade_reports *r, struct fail *fail)
{
    QUERY(q, db, "SELECT no, at FROM publication WHERE kind = 'backfill' ORDER BY no");
    while (query_row(&q)) {
        r->backfills =
            mem_grow(r->backfills, r->backfill_count, &r->backfill_room, sizeof *r->backfills);
        r->backfills[r->backfill_count++] =
            (struct trade_report_backfill){query_get_i64(&q, 0), query_get_i64(&q, 1)};
    }
    return query_end(&q, fail);
}

static enum err load_filings(struct query *q, struct trade_reports *r, struct fail *fail)
{
    while (query_row(q)) {
        bool missing = query_get_i64(q, 1) != 0, differs = query_get_i64(q, 2) != 0;
        r->filings = mem_grow(r->filings, r->filing_count, &r->filing_room, sizeof *r->filings);
        r->filings[r->filing_count++] = (struct trade_report_filing){
            .no = query_get_i64(q, 0),
            .first = missing   ? FIRST_REPORT_MISSING
                     : differs ? FIRST_REPORT_DIFFERS
                               : FIRST_REPORT_KNOWN,
            .settled_at = query_get_i64(q, 3)};
    }
    return query_end(q, fail);
}

static struct trade_report_row *add_row(struct trade_reports *r, const struct query *q)
{
    r->rows = mem_grow(r->rows, r->row_count, &r->row_room, sizeof *r->rows);
    struct trade_report_row *row = &r->rows[r->row_count++];
    *row = (struct trade_report_row){
        .filing_no = query_get_i64(q, 0),
        .row = query_get_i64(q, 1),
        .now = {FIRST_REPORT_MISSING, DAY_NONE},
        .before = {FIRST_REPORT_KNOWN, DAY_NONE}};
    return row;
}

static enum err load_marked(struct query *q, struct trade_reports *r, struct fail *fail)
{
    while (query_row(q))
        add_row(r, q);
    return query_end(q, fail);
}

/* An amendment in between may have its own original. */
static enum err load_repeated(struct query *q, struct trade_reports *r, struct fail *fail)
{
    while (query_row(q)) {
        struct trade_report_row *row = add_row(r, q);
        row->settled_at = query_get_i64(q, 4);
        row->now.first = query_get_i64(q, 3) ? FIRST_REPORT_DIFFERS : FIRST_REPORT_KNOWN;
        if (row->now.first == FIRST_REPORT_KNOWN)
            row->now.first_filed = instant_day_new_york(query_get_i64(q, 2));
    }
    return query_end(q, fail);
}

static int by_number(const void *a, const void *b)
{
    const struct trade_report_filing *x = a, *y = b;
    return (x->no > y->no) - (x->no < y->no);
}

static int by_publication(const void *a, const void *b)
{
    const struct trade_report_backfill *x = a, *y = b;
    return (x->publication_no > y->publication_no) - (x->publication_no < y->publication_no);
}

static int by_row(const void *a, const void *b)
{
    const struct trade_report_row *x = a, *y = b;
    if (x->filing_no != y->filing_no)
        return x->filing_no < y->filing_no ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Of several lines of a row the best known one is first, and of these the earliest. */
static int by_row_and_knowledge(const void *a, const void *b)
{
    const struct trade_report_row *x = a, *y = b;
    int order = by_row(x, y);
    if (order || x->now.first != y->now.first)
        return order ? order : (x->now.first > y->now.first) - (x->now.first < y->now.first);
    return (x->now.first_filed > y->now.first_filed) - (x->now.first_filed < y->now.first_filed);
}

/* Leaves one line of each row, with what was known before. */
static void sort(struct trade_reports *r)
{
    size_t kept = 0;
    if (r->filing_count)
        qsort(r->filings, r->filing_count, sizeof *r->filings, by_number);
    if (r->row_count)
        qsort(r->rows, r->row_count, sizeof *r->rows, by_row_and_knowledge);
    for (size_t i = 0; i < r->row_count; i++) {
        struct trade_report_row *line = &r->rows[i], *best = kept ? &r->rows[kept - 1] : NULL;
        if (!best || by_row(best, line) != 0) {
            r->rows[kept++] = *line;
        } else if (!best->has_before && line->settled_at + SETTLES_MS <= best->settled_at) {
            best->has_before = true;
            best->before = line->now;
        }
    }
    r->row_count = kept;
}

enum err trade_reports_load(struct db *db, struct trade_reports *r, struct fail *fail)
{
    struct query q;
    TRY(load_backfills(db, r, fail));
    query_start(&q, db, AMENDMENTS(ALL_AMENDMENTS));
    TRY(load_filings(&q, r, fail));
    query_start(&q, db, MARKED_ROWS BY_ROW);
    TRY(load_marked(&q, r, fail));
    query_start(&q, db, REPEATED_ROWS BY_TRADE);
    TRY(load_repeated(&q, r, fail));
    sort(r);
    return OK;
}

enum err trade_reports_add(
    struct db *db, int64_t filing_no, struct trade_reports *r, struct fail *fail)
{
    struct query q;
    if (!r->backfill_count)
        TRY(load_backfills(db, r, fail));
    query_with(&q, db, AMENDMENTS(ONE_AMENDMENT), V(filing_no));
    TRY(load_filings(&q, r, fail));
    query_with(&q, db, MARKED_ROWS " AND f.no = $1" BY_ROW, V(filing_no));
    TRY(load_marked(&q, r, fail));
    query_with(
        &q, db,
        REPEATED_ROWS " AND f.no = $1 AND t.id > f.id || '-' AND t.id < f.id || '.'" BY_TRADE,
        V(filing_no));
    TRY(load_repeated(&q, r, fail));
    sort(r);
    return OK;
}

/* --- looking up */

static void *find(
    const void *key, const void *items, size_t count, size_t size,
    int (*order)(const void *, const void *))
{
    return count ? bsearch(key, items, count, size, order) : NULL;
}

static struct trade_report_filing find_filing(const struct trade_reports *r, int64_t filing_no)
{
    const struct trade_report_filing key = {.no = filing_no};
    const struct trade_report_filing *found =
        find(&key, r->filings, r->filing_count, sizeof key, by_number);
    return found ? *found : key;
}

static int64_t first_published(const struct trade_reports *r, const struct trade_row *row)
{
    const struct trade_report_backfill key = {.publication_no = row->publication_no};
    const struct trade_report_backfill *found =
        find(&key, r->backfills, r->backfill_count, sizeof key, by_publication);
    return found ? found->at : row->trade.disclosed_at;
}

static struct trade_report_row find_row(const struct trade_reports *r, const struct trade_row *row)
{
    struct trade_report_row key = {
        .filing_no = row->filing_no, .now = {FIRST_REPORT_KNOWN, DAY_NONE}};
    if (!r->row_count)
        return key;
    key.row = trade_id_row(row->trade.id);
    const struct trade_report_row *found = find(&key, r->rows, r->row_count, sizeof key, by_row);
    return found ? *found : key;
}

/* What is known of a row, and else of its filing. */
static struct first_known known_of(struct first_known row, enum first_report filing, int32_t filed)
{
    if (row.first_filed != DAY_NONE)
        return row;
    return (struct first_known){filing == FIRST_REPORT_KNOWN ? row.first : filing, filed};
}

struct trade_report trade_report_of(
    const struct trade_reports *r, const struct trade_row *row, int64_t filed_at, int32_t filed)
{
    struct trade_report_filing filing = find_filing(r, row->filing_no);
    struct trade_report_row own = find_row(r, row);
    struct first_known now = known_of(own.now, filing.first, filed), before = now;
    bool by_filing = own.now.first_filed == DAY_NONE && filing.settled_at > own.settled_at;
    int64_t settled_at = by_filing ? filing.settled_at : own.settled_at;
    if (settled_at <= row->trade.disclosed_at)
        settled_at = 0;
    else
        before = known_of(
            own.settled_at > settled_at - SETTLES_MS ? own.before : own.now,
            filing.settled_at > settled_at - SETTLES_MS ? FIRST_REPORT_MISSING : filing.first,
            filed);
    return (struct trade_report){
        .filed_at = filed_at,
        .first_published_at = first_published(r, row),
        .filed = filed,
        .first_filed = now.first_filed,
        .notified = row->notified_date,
        .page = (uint16_t)row->page,
        .first = (uint8_t)now.first,
        .first_before = (uint8_t)before.first,
        .first_filed_before = before.first_filed,
        .settled_at = settled_at,
    };
}

enum err trade_report_find(
    struct db *db, const struct trade_row *row, int64_t filed_at, struct trade_report *ret,
    struct fail *fail)
{
    SCOPED(trade_reports_finish) struct trade_reports reports;
    trade_reports_init(&reports);
    TRY(trade_reports_add(db, row->filing_no, &reports, fail));
    *ret = trade_report_of(&reports, row, filed_at, instant_day_new_york(filed_at));
    return OK;
}

enum err trade_report_each_dependent(
    struct db *db, int64_t filing_no, trade_report_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db,
        "WITH RECURSIVE later(no) AS (SELECT f.no FROM filing f WHERE f.amends_no = $1"
        " UNION SELECT f.no FROM later l JOIN filing f ON f.amends_no = l.no),"
        " repeated(no) AS (SELECT t.filing_no FROM filing o JOIN draft d ON d.filing_id = o.id"
        " JOIN draft_row r ON r.draft_no = d.no JOIN trade t ON t.id = r.trade_id"
        " JOIN filing f ON f.no = t.filing_no"
        " WHERE o.no = $1 AND r.trade_id IS NOT NULL AND o.filed_at < f.filed_at)"
        " SELECT f.id FROM filing f WHERE f.no <> $1 AND " PUBLIC(
            "f") " AND (f.no IN (SELECT no FROM later) OR f.no IN (SELECT no FROM repeated))"
                 " ORDER BY f.no",
        V(filing_no));
    while (query_row(&q))
        visit(ctx, query_get_str(&q, 0));
    return query_end(&q, fail);
}
