/* Known reports; see known.h. */
#include "store/public/known.h"

#include <stdlib.h>

#include "address/official_url.h"
#include "store/public/draft_shown.h"
#include "store/row/change.h"
#include "store/row/list.h"

/* The state of a filing that is or was public; NULL: it never was. */
#define PUBLIC_STATE(id)                                                                           \
    "(SELECT f.state FROM filing f WHERE f.id = " id                                               \
    " AND f.state IN ('published', 'amended', 'withdrawn'))"

#define ENTRY_ID "d.chamber || '-' || d.source_id"

/* An index names it as a trade report. One that an index lists as another form has no filer. */
#define ENTRY_INDEXED                                                                              \
    "CASE WHEN d.indexed_at IS NOT NULL AND d.index_gone_at IS NULL AND d.state <> 'indexed'"      \
    " AND (d.state <> 'refused' OR b.member_no IS NOT NULL) THEN 1 ELSE 0 END"

#define ENTRY_STATE                                                                                \
    "coalesce(" PUBLIC_STATE(ENTRY_ID) ", CASE WHEN r.no IS NOT NULL AND d.state <> 'refused'"     \
                                       " THEN " DRAFT_SHOWN(                                       \
                                           "r") " WHEN d.index_gone_at IS NOT NULL AND d.state IN" \
                                                " ('awaiting_document', 'indexed')"                \
                                                " THEN 'gone_from_index' ELSE d.state END)"

/* Entries of the ledger. */
#define KNOWN_ENTRIES                                                                              \
    "SELECT " ENTRY_ID ", d.chamber, d.source_id, coalesce(r.url, d.url),"                         \
    " coalesce(r.filer, d.filer), r.filed_at, d.filed_day, d.year, " ENTRY_INDEXED                 \
    ", m.id, " ENTRY_STATE " FROM document d LEFT JOIN document_filer b ON b.document_no = d.no"   \
    " LEFT JOIN member m ON m.no = b.member_no"                                                    \
    " LEFT JOIN draft r ON r.no = (SELECT x.no FROM draft x WHERE x.filing_id = " ENTRY_ID         \
    " AND x.state <> 'superseded' ORDER BY x.revision DESC LIMIT 1)"                               \
    " WHERE d.kind IN ('house', 'senate')"

/* Drafts that were begun by hand, without an entry. */
#define KNOWN_DRAFTS                                                                               \
    " UNION ALL SELECT r.filing_id, r.chamber, r.source_doc_id, r.url, r.filer, r.filed_at,"       \
    " NULL, NULL, 0, m.id, coalesce(" PUBLIC_STATE("r.filing_id") ", " DRAFT_SHOWN(                \
        "r") ") FROM draft r LEFT JOIN member m ON m.no = r.member_no"                             \
             " WHERE r.revision ="                                                                 \
             " (SELECT max(x.revision) FROM draft x WHERE x.filing_id = r.filing_id)"              \
             " AND r.state <> 'superseded' AND NOT EXISTS (SELECT 1 FROM document d"               \
             " WHERE d.kind = r.chamber AND d.source_id = r.source_doc_id)"

/* Strings belong to the query's row. */
static bool read_report(const struct query *q, struct known_report *ret)
{
    int64_t filed_at = query_get_opt_i64(q, 5, INSTANT_NONE);
    *ret = (struct known_report){
        .id = query_get_str(q, 0),
        .chamber = chamber_from_name(query_get_str(q, 1)),
        .url = query_get_str(q, 3),
        .filer = query_get_str(q, 4),
        .filed_day = filed_at == INSTANT_NONE ? (int32_t)query_get_opt_i64(q, 6, DAY_NONE)
                                              : instant_day_new_york(filed_at),
        .indexed = query_get_i64(q, 8) != 0,
        .politician_id = query_get_str(q, 9),
    };
    return report_state_from_name(query_get_str(q, 10), &ret->state);
}

/* The index of the House states no address, but its year and the number make it. */
static void keep_report(const struct query *q, struct arena *arena, struct known_report *report)
{
    int year = (int)query_get_opt_i64(q, 7, 0);
    if (str_is_null(report->url) && report->chamber == CHAMBER_HOUSE && year)
        report->url = official_url_house(arena, year, query_get_str(q, 2));
    report->id = arena_str(arena, report->id);
    report->url = arena_str(arena, report->url);
    report->filer = arena_str(arena, report->filer);
    report->politician_id = arena_str(arena, report->politician_id);
}

static void start_of_member(struct query *q, struct db *db, struct str politician_id)
{
    query_with(
        q, db,
        KNOWN_ENTRIES " AND b.member_no = (SELECT no FROM member WHERE id = $1)" KNOWN_DRAFTS
                      " AND r.member_no = (SELECT no FROM member WHERE id = $1)",
        V(politician_id));
}

static enum err end(struct query *q, bool valid, struct fail *fail)
{
    struct fail ignored = {0};
    enum err err = query_end(q, valid ? fail : &ignored);
    return valid ? err : fail_set(fail, ERR_CORRUPT, "a report is in an unknown state");
}

enum err known_each(
    struct db *db, struct str politician_id, known_visit *visit, void *ctx, struct fail *fail)
{
    struct known_report report;
    struct query q;
    bool valid = true;
    if (str_is_null(politician_id))
        query_start(&q, db, KNOWN_ENTRIES " AND d.state <> 'indexed'" KNOWN_DRAFTS);
    else
        start_of_member(&q, db, politician_id);
    while (valid && query_row(&q)) {
        valid = read_report(&q, &report);
        if (valid)
            visit(ctx, &report);
    }
    return end(&q, valid, fail);
}

static int newest_first(const void *a, const void *b)
{
    const struct known_report *x = a, *y = b;
    if (x->filed_day != y->filed_day)
        return x->filed_day > y->filed_day ? -1 : 1;
    return -str_cmp(x->id, y->id);
}

enum err known_of_member(
    struct db *db, struct str politician_id, struct arena *arena, struct known_report **ret,
    size_t *ret_count, struct fail *fail)
{
    struct query q;
    bool valid = true;
    LIST_SCOPED(reports, struct known_report);
    start_of_member(&q, db, politician_id);
    while (valid && query_row(&q)) {
        struct known_report *report = list_add(&reports);
        valid = read_report(&q, report);
        keep_report(&q, arena, report);
    }
    enum err err = end(&q, valid, fail);
    *ret_count = err ? 0 : reports.count;
    if (*ret_count)
        qsort(reports.items, reports.count, reports.size, newest_first);
    *ret = list_keep(&reports, arena);
    return err;
}

enum err known_find(
    struct db *db, struct str id, struct arena *arena, struct known_report *ret, struct fail *fail)
{
    bool valid = true;
    ptrdiff_t dash = str_find_char(id, '-');
    if (dash < 0)
        return fail_set(fail, ERR_NOT_FOUND, "\"%.*s\" is not the id of a report", STR_ARG(id));
    QUERY(
        q, db,
        KNOWN_ENTRIES " AND d.kind = $1 AND d.source_id = $2" KNOWN_DRAFTS " AND r.filing_id = $3",
        V(str_slice(id, 0, (size_t)dash)), V(str_slice(id, (size_t)dash + 1, id.n)), V(id));
    bool found = query_row(&q);
    if (found) {
        valid = read_report(&q, ret);
        keep_report(&q, arena, ret);
    }
    enum err err = end(&q, valid, fail);
    return err || found ? err : fail_set(fail, ERR_NOT_FOUND, "no such report is known");
}

enum err known_each_index(struct db *db, known_index_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT d.chamber, d.year, d.indexed_at FROM document d"
        " JOIN document_filer b ON b.document_no = d.no"
        " WHERE d.kind IN ('house-index', 'senate-index') AND d.year IS NOT NULL"
        " ORDER BY d.chamber, d.year");
    while (query_row(&q)) {
        const struct known_index index = {
            chamber_from_name(query_get_str(&q, 0)), (int)query_get_i64(&q, 1),
            query_get_opt_i64(&q, 2, INSTANT_NONE)};
        visit(ctx, &index);
    }
    return query_end(&q, fail);
}

enum err known_set_filer(
    struct db *db, struct str kind, struct str source_id, struct str politician_id,
    struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO document_filer (document_no, member_no)"
        " SELECT d.no, (SELECT m.no FROM member m WHERE m.id = $3) FROM document d"
        " WHERE d.kind = $1 AND d.source_id = $2"
        " ON CONFLICT (document_no) DO UPDATE SET member_no = excluded.member_no",
        V(kind), V(source_id), V(politician_id));
}

enum err known_set_matched(struct db *db, struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO document_filer (document_no) SELECT d.no FROM document d"
        " WHERE d.kind IN ('house-index', 'senate-index')"
        " ON CONFLICT (document_no) DO NOTHING");
}

enum err known_changed(struct db *db, struct str politician_id, struct fail *fail)
{
    struct str key = str_is_null(politician_id) ? STR("") : politician_id;
    return change_add(db, STR("known"), key, NULL, fail);
}
