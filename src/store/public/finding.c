/* Findings; see finding.h. */
#include "store/public/finding.h"

#include <assert.h>

#include "db/bulk.h"
#include "db/dialect.h"
#include "store/public/change_log.h"
#include "store/public/finding_digest.h"

enum { PAIR_SIZE_MAX = 48 };

void finding_identify(struct finding *f)
{
    finding_digest(f->reason, f->evidence, f->sha256);
}

enum err finding_look_up(struct db *db, const struct finding *f, int64_t *ret, struct fail *fail)
{
    *ret = 0;
    return query_number(
        db, ret, fail, "SELECT no FROM finding WHERE sha256 = $1",
        V_BLOB(f->sha256, sizeof f->sha256));
}

enum err finding_put(
    struct db *db, const struct finding *f, struct str rule_version, int64_t now_ms, int64_t *ret,
    struct fail *fail)
{
    QUERY(
        q, db,
        "INSERT INTO finding (sha256, reason, evidence, rule_version, found_at)"
        " VALUES ($1, $2, $3, $4, $5) ON CONFLICT (sha256) DO NOTHING RETURNING no",
        V_BLOB(f->sha256, sizeof f->sha256), V(f->reason), V(f->evidence), V(rule_version),
        V(now_ms));
    bool added = query_row(&q);
    if (added)
        *ret = query_get_i64(&q, 0);
    enum err err = query_end(&q, fail);
    return err || added ? err : finding_look_up(db, f, ret, fail);
}

/* Findings of trades */

static void put_pairs(struct buf *b, const struct finding_pair *pairs, size_t n)
{
    buf_char(b, '[');
    for (size_t i = 0; i < n; i++)
        buf_fmt(
            b, "%s[%lld,%lld]", i ? "," : "", (long long)pairs[i].trade_no,
            (long long)pairs[i].finding_no);
    buf_char(b, ']');
}

static enum err add_lines(
    struct db *db, struct str pairs, int64_t now_ms, struct finding_lines *lines, struct fail *fail)
{
    QUERY(q, db, dialect_text(db_kind(db), DIALECT_FINDING_HISTORY), V(pairs), V(now_ms));
    while (query_row(&q)) {
        int64_t no = query_get_i64(&q, 0);
        lines->first = lines->first == 0 || no < lines->first ? no : lines->first;
        lines->last = no > lines->last ? no : lines->last;
        lines->count++;
    }
    return query_end(&q, fail);
}

static enum err run_on_pairs(
    struct db *db, enum dialect statement, struct str pairs, struct fail *fail)
{
    return query_run(db, fail, dialect_text(db_kind(db), statement), V(pairs));
}

static enum err set(
    struct db *db, const struct finding_pair *pairs, size_t n, int64_t now_ms,
    struct finding_lines *lines, struct fail *fail)
{
    assert(db_in_transaction(db) && n <= FINDING_PAIRS_MAX);
    if (n == 0)
        return OK;
    BUF_SCOPED(b, (n + 1) * PAIR_SIZE_MAX);
    put_pairs(&b, pairs, n);
    assert(!b.overflow);
    TRY(add_lines(db, buf_view(&b), now_ms, lines, fail));
    TRY(run_on_pairs(db, DIALECT_FINDING_CLEAR, buf_view(&b), fail));
    return run_on_pairs(db, DIALECT_FINDING_SET, buf_view(&b), fail);
}

static enum err insert_all(
    struct db *db, const struct finding_pair *pairs, size_t n, struct fail *fail)
{
    static const struct bulk_text text = {
        "INSERT INTO trade_finding (trade_no, finding_no) VALUES ($1, $2)",
        "COPY trade_finding (trade_no, finding_no) FROM STDIN (FORMAT binary)", 2};
    struct bulk bulk;
    bulk_begin(&bulk, db, &text);
    for (size_t i = 0; i < n; i++) {
        bulk_i64(&bulk, pairs[i].trade_no);
        bulk_i64(&bulk, pairs[i].finding_no);
    }
    return bulk_end(&bulk, OK, fail);
}

static enum err insert_history(
    struct db *db, const struct finding_pair *pairs, size_t n, int64_t now_ms, struct fail *fail)
{
    static const struct bulk_text text = {
        "INSERT INTO finding_history (trade_no, at, new_no) VALUES ($1, $2, $3)",
        "COPY finding_history (trade_no, at, new_no) FROM STDIN (FORMAT binary)", 3};
    struct bulk bulk;
    bulk_begin(&bulk, db, &text);
    for (size_t i = 0; i < n; i++) {
        bulk_i64(&bulk, pairs[i].trade_no);
        bulk_i64(&bulk, now_ms);
        bulk_i64(&bulk, pairs[i].finding_no);
    }
    return bulk_end(&bulk, OK, fail);
}

enum err finding_set_new(
    struct db *db, const struct finding_pair *pairs, size_t n, int64_t now_ms, struct fail *fail)
{
    if (n == 0)
        return OK;
    TRY(insert_all(db, pairs, n, fail));
    return insert_history(db, pairs, n, now_ms, fail);
}

enum err finding_set(
    struct db *db, const struct finding_pair *pairs, size_t n, int64_t now_ms,
    struct finding_lines *ret, struct fail *fail)
{
    *ret = (struct finding_lines){0};
    enum err err = set(db, pairs, n, now_ms, ret, fail);
    return err || ret->count == 0 ? err
                                  : change_log_signals(db, ret->first, ret->last, now_ms, fail);
}

struct str finding_key(const struct finding_lines *lines, char ret[static FINDING_KEY_SIZE_MAX])
{
    struct buf b = buf_over(ret, FINDING_KEY_SIZE_MAX);
    buf_fmt(&b, "%lld-%lld", (long long)lines->first, (long long)lines->last);
    assert(!b.overflow);
    return buf_view(&b);
}

bool finding_key_parse(struct str key, struct finding_lines *ret)
{
    struct str first;
    *ret = (struct finding_lines){.count = 0};
    return str_split(&key, '-', &first) && str_to_i64(first, &ret->first) &&
           str_to_i64(key, &ret->last) && ret->first > 0 && ret->last >= ret->first;
}

/* The facts that the rule needs */

/* Looks up the finding of each trade in a subquery: with a join PostgreSQL reads all findings for
 * each batch. */
#define CASE_COLUMNS                                                                               \
    "t.no, t.filing_no, f.member_no, f.chamber, t.ticker, t.asset_type, t.trade_day, f.filed_at,"  \
    " (SELECT s.finding_no FROM trade_finding s WHERE s.trade_no = t.no), t.company"

#define CASE_TABLES "trade t JOIN filing f ON f.no = t.filing_no"

static struct finding_case read_case(const struct query *q)
{
    int32_t trade_day = (int32_t)query_get_opt_i64(q, 6, DAY_NONE);
    bool confirmed = query_is_null(q, 4) && !query_is_null(q, 9);
    return (struct finding_case){
        .trade_no = query_get_i64(q, 0),
        .filing_no = query_get_i64(q, 1),
        .member_no = query_get_i64(q, 2),
        .chamber = chamber_from_name(query_get_str(q, 3)),
        .ticker = query_get_str(q, confirmed ? 9 : 4),
        .confirmed = confirmed,
        .asset_type = asset_type_from_name(query_get_str(q, 5)),
        .day = trade_day == DAY_NONE ? instant_day_new_york(query_get_i64(q, 7)) : trade_day,
        .finding_no = query_get_opt_i64(q, 8, 0),
    };
}

/* f.no >= $1 lets a merge join of PostgreSQL start there, instead of at the first filing. */
enum err finding_each_case(
    struct db *db, struct finding_place after, const struct finding_place *until, int64_t limit,
    finding_case_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT " CASE_COLUMNS " FROM " CASE_TABLES " WHERE t.withdrawn_at IS NULL"
        " AND (t.filing_no, t.no) > ($1, $2) AND (t.filing_no, t.no) <= ($3, $4) AND f.no >= $1"
        " ORDER BY t.filing_no, t.no LIMIT $5",
        V(after.filing_no), V(after.trade_no), V(until ? until->filing_no : INT64_MAX),
        V(until ? until->trade_no : INT64_MAX), V(limit));
    while (query_row(&q)) {
        struct finding_case item = read_case(&q);
        visit(ctx, &item);
    }
    return query_end(&q, fail);
}

enum err finding_count_cases(struct db *db, int64_t *ret, struct fail *fail)
{
    return query_number(db, ret, fail, "SELECT count(*) FROM trade WHERE withdrawn_at IS NULL");
}

enum err finding_case_of(
    struct db *db, struct str trade_id, struct arena *arena, struct finding_case *ret,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT " CASE_COLUMNS " FROM " CASE_TABLES " WHERE t.id = $1 AND t.withdrawn_at IS NULL",
        V(trade_id));
    if (query_row(&q)) {
        *ret = read_case(&q);
        ret->ticker = arena_str(arena, ret->ticker);
    }
    return query_end_or(
        &q, ERR_NOT_FOUND, fail, "there is no public trade \"%.*s\"", STR_ARG(trade_id));
}

enum err finding_asset_name(
    struct db *db, int64_t trade_no, struct arena *arena, struct str *ret, struct fail *fail)
{
    *ret = STR_NULL;
    QUERY(q, db, "SELECT asset_name FROM trade WHERE no = $1", V(trade_no));
    if (query_row(&q))
        *ret = query_text(&q, 0, arena);
    return query_end(&q, fail);
}

/* The evidence for readers */

enum err finding_each_changed(
    struct db *db, const struct finding_lines *lines, finding_trade_visit *visit, void *ctx,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT t.id, t.disclosed_at, d.reason, d.evidence, d.sha256 FROM finding_history h"
        " JOIN trade t"
        " ON t.no = h.trade_no LEFT JOIN trade_finding s ON s.trade_no = t.no"
        " LEFT JOIN finding d ON d.no = s.finding_no WHERE h.no BETWEEN $1 AND $2 ORDER BY h.no",
        V(lines->first), V(lines->last));
    while (query_row(&q)) {
        const struct finding_trade trade = {
            query_get_str(&q, 0), query_get_i64(&q, 1), query_get_str(&q, 2),
            finding_columns_damaged(&q, 2)};
        visit(ctx, &trade);
    }
    return query_end(&q, fail);
}

enum err finding_each_after(
    struct db *db, int64_t after, finding_text_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db, "SELECT no, reason, evidence, sha256 FROM finding WHERE no > $1 ORDER BY no",
        V(after));
    while (query_row(&q)) {
        const struct finding finding = {
            .no = query_get_i64(&q, 0),
            .reason = query_get_str(&q, 1),
            .evidence = query_get_str(&q, 2)};
        visit(ctx, &finding, finding_columns_damaged(&q, 1));
    }
    return query_end(&q, fail);
}

enum err finding_each_digest(
    struct db *db, finding_digest_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(q, db, "SELECT no, sha256 FROM finding");
    while (query_row(&q)) {
        struct str sha256 = query_get_blob(&q, 1);
        assert(sha256.n == SHA256_SIZE); /* a CHECK of the table */
        visit(ctx, query_get_i64(&q, 0), (const uint8_t *)sha256.p);
    }
    return query_end(&q, fail);
}

enum err finding_each_pair(struct db *db, finding_pair_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(q, db, "SELECT trade_no, finding_no FROM trade_finding ORDER BY trade_no");
    while (query_row(&q)) {
        const struct finding_pair pair = {query_get_i64(&q, 0), query_get_i64(&q, 1)};
        visit(ctx, &pair);
    }
    return query_end(&q, fail);
}

enum err finding_each_pair_of(
    struct db *db, int64_t publication_no, finding_pair_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT s.trade_no, s.finding_no FROM publication p JOIN trade t"
        " ON t.publication_no = p.no AND t.disclosed_at BETWEEN p.range_start AND p.range_end"
        " JOIN trade_finding s ON s.trade_no = t.no WHERE p.no = $1 AND t.withdrawn_at IS NULL"
        " ORDER BY s.trade_no",
        V(publication_no));
    while (query_row(&q)) {
        const struct finding_pair pair = {query_get_i64(&q, 0), query_get_i64(&q, 1)};
        visit(ctx, &pair);
    }
    return query_end(&q, fail);
}

enum err finding_reason(
    struct db *db, int64_t finding_no, struct arena *arena, struct str *ret, bool *ret_damaged,
    struct fail *fail)
{
    QUERY(q, db, "SELECT reason, evidence, sha256 FROM finding WHERE no = $1", V(finding_no));
    if (query_row(&q)) {
        *ret = query_text(&q, 0, arena);
        if (ret_damaged)
            *ret_damaged = finding_columns_damaged(&q, 0);
    }
    return query_end_or(
        &q, ERR_NOT_FOUND, fail, "there is no finding with number %lld", (long long)finding_no);
}

enum err finding_of_trade(
    struct db *db, struct str trade_id, struct arena *arena, bool *ret_found,
    struct finding_shown *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT d.evidence, d.rule_version, (SELECT h.at FROM finding_history h"
        " WHERE h.trade_no = t.no ORDER BY h.no DESC LIMIT 1), d.reason, d.evidence, d.sha256"
        " FROM trade t JOIN trade_finding s ON s.trade_no = t.no"
        " JOIN finding d ON d.no = s.finding_no WHERE t.id = $1",
        V(trade_id));
    *ret_found = query_row(&q);
    if (*ret_found)
        *ret = (struct finding_shown){
            query_text(&q, 0, arena), query_text(&q, 1, arena), query_get_i64(&q, 2),
            finding_columns_damaged(&q, 3)};
    return query_end(&q, fail);
}

enum err finding_each_line(
    struct db *db, struct str trade_id, finding_line_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT h.at, o.reason, n.reason FROM trade t JOIN finding_history h ON h.trade_no = t.no"
        " LEFT JOIN finding o ON o.no = h.old_no LEFT JOIN finding n ON n.no = h.new_no"
        " WHERE t.id = $1 ORDER BY h.no",
        V(trade_id));
    while (query_row(&q)) {
        const struct finding_line line = {
            query_get_i64(&q, 0), query_get_str(&q, 1), query_get_str(&q, 2)};
        visit(ctx, &line);
    }
    return query_end(&q, fail);
}
