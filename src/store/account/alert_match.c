/* Passes over the sequence of changes, and their matches; see alert_match.h. */
#include "store/account/alert_match.h"

#include <assert.h>

#include "base/codec.h"
#include "base/intmap.h"
#include "db/dialect.h"
#include "market/conflict.h"
#include "market/industry.h"
#include "store/row/list.h"

bool alert_bits_any(const struct alert_bits *bits)
{
    for (size_t i = 0; i < sizeof bits->bytes; i++)
        if (bits->bytes[i])
            return true;
    return false;
}

void alert_bits_add(struct alert_bits *bits, const struct alert_bits *more)
{
    for (size_t i = 0; i < sizeof bits->bytes; i++)
        bits->bytes[i] |= more->bytes[i];
}

static struct alert_bits read_bits(const struct query *q, int column)
{
    struct alert_bits bits = {{0}};
    struct str stored = query_get_blob(q, column);
    memcpy(bits.bytes, stored.p, stored.n < sizeof bits.bytes ? stored.n : sizeof bits.bytes);
    return bits;
}

/* Without the zeros at the end: most passes have a few entries. */
static size_t bits_size(const struct alert_bits *bits)
{
    size_t n = sizeof bits->bytes;
    while (n > 1 && !bits->bytes[n - 1])
        n--;
    return n;
}

/* --- a pass */

enum err alert_position(struct db *db, int64_t *ret, struct fail *fail)
{
    *ret = 0;
    return query_number(db, ret, fail, "SELECT value FROM counter WHERE name = 'alert'");
}

/* Without an alert there is no need for many passes over bulk history. */
static enum err read_idle(struct db *db, bool *ret, struct fail *fail)
{
    QUERY(q, db, "SELECT 1 FROM alert WHERE state = 'enabled' LIMIT 1");
    *ret = !query_row(&q);
    return query_end(&q, fail);
}

enum err alert_pass_bounds(struct db *db, struct alert_bounds *ret, struct fail *fail)
{
    enum err err = alert_position(db, &ret->after, fail);
    ret->last = ret->after;
    if (err)
        return err;
    QUERY(q, db, "SELECT max(seq) FROM change_log");
    if (query_row(&q))
        ret->last = query_get_opt_i64(&q, 0, 0);
    TRY(query_end(&q, fail));
    /* After the newest entry: an alert that is added in between then sees what follows it. */
    TRY(read_idle(db, &ret->is_idle, fail));
    if (!ret->is_idle && ret->last > ret->after + ALERT_PASS_MAX)
        ret->last = ret->after + ALERT_PASS_MAX;
    if (ret->last < ret->after)
        ret->last = ret->after;
    return OK;
}

static struct alert_entry read_entry(const struct query *q, struct arena *arena)
{
    int64_t filed_at = query_get_i64(q, 11);
    int64_t day = query_get_opt_i64(q, 10, instant_day_new_york(filed_at));
    return (struct alert_entry){
        .seq = query_get_i64(q, 0),
        .kind = change_kind_from_name(query_get_str(q, 1)),
        .trade_no = query_get_i64(q, 2),
        .at = query_get_i64(q, 3),
        .member_no = query_get_opt_i64(q, 4, 0),
        .chamber = chamber_from_name(query_get_str(q, 5)),
        .ticker = query_text(q, 6, arena),
        .asset_name = query_text(q, 7, arena),
        .asset_type = asset_type_from_name(query_get_str(q, 8)),
        .bracket = bracket_from_key(query_get_str(q, 9)),
        .day = (int32_t)day,
        .disclosed_at = query_get_i64(q, 12),
        .is_public = query_is_null(q, 13),
        .is_backfill = str_eq(query_get_str(q, 14), STR("backfill")),
        .is_flagged = !query_is_null(q, 15),
        .company = query_text(q, 16, arena),
    };
}

/* Entries about a filing alone have no trade: those of its trades say the same. */
enum err alert_pass_read(
    struct db *db, struct arena *arena, struct alert_pass *ret, struct fail *fail)
{
    struct alert_bounds bounds = {0};
    enum err err = alert_pass_bounds(db, &bounds, fail);
    *ret = (struct alert_pass){bounds.after, bounds.last, bounds.is_idle, NULL, 0};
    if (err || ret->is_idle || ret->after == ret->last)
        return err;
    QUERY(
        q, db,
        "SELECT l.seq, l.kind, l.trade_no, l.at, f.member_no, f.chamber, t.ticker, t.asset_name,"
        " t.asset_type, t.amount_bucket, t.trade_day, f.filed_at, t.disclosed_at, t.withdrawn_at,"
        " p.kind, (SELECT s.finding_no FROM trade_finding s WHERE s.trade_no = t.no),"
        " t.company FROM change_log l JOIN trade t ON t.no = l.trade_no JOIN filing f ON f.no = "
        "t.filing_no"
        " JOIN publication p ON p.no = t.publication_no"
        " WHERE l.seq > $1 AND l.seq <= $2 ORDER BY l.seq",
        V(ret->after), V(ret->last));
    return list_read_items(&q, arena, &ret->entries, &ret->count, fail, read_entry(&q, arena));
}

/* Accounts whose alerts match: by number, any value. */
static enum err read_owners(struct db *db, struct intmap *ret, struct fail *fail)
{
    QUERY(q, db, "SELECT no FROM account WHERE disabled_at IS NULL AND confirmed_at IS NOT NULL");
    while (query_row(&q))
        intmap_put(ret, (uint64_t)query_get_i64(&q, 0), ret);
    return query_end(&q, fail);
}

static enum err visit_rules(
    struct db *db, const struct intmap *owners, alert_rule_visit *visit, void *ctx,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT no, after_seq, member_no, ticker, chamber, committee, industry, flagged,"
        " amount_bucket, account_no, grade FROM alert WHERE state = 'enabled' ORDER BY no");
    while (query_row(&q)) {
        if (!intmap_get(owners, (uint64_t)query_get_i64(&q, 9)))
            continue;
        const struct alert_rule rule = {
            .member_no = query_get_opt_i64(&q, 2, 0),
            .ticker = query_get_str(&q, 3),
            .chamber = chamber_from_name(query_get_str(&q, 4)),
            .committee = query_get_str(&q, 5),
            .industry = industry_from_code(query_get_str(&q, 6)),
            .flagged = query_get_i64(&q, 7) != 0,
            .minimum = bracket_from_key(query_get_str(&q, 8)),
            .grade = conflict_grade_from_name(query_get_str(&q, 10)),
        };
        visit(ctx, query_get_i64(&q, 0), query_get_i64(&q, 1), &rule);
    }
    return query_end(&q, fail);
}

/* Two scans instead of a join: without statistics, PostgreSQL joins by a loop over all accounts for
 * each alert, which takes 10 s for 100,000 alerts of 1,000 accounts. */
enum err alert_each_rule(struct db *db, alert_rule_visit *visit, void *ctx, struct fail *fail)
{
    INTMAP_SCOPED(owners);
    TRY(read_owners(db, &owners, fail));
    return visit_rules(db, &owners, visit, ctx, fail);
}

enum err alert_each_sent(
    struct db *db, int64_t first, int64_t last, alert_sent_visit *visit, void *ctx,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT alert_no, first_seq, bits FROM alert_match"
        " WHERE first_seq >= $1 AND first_seq <= $2 AND sent_at IS NOT NULL",
        V(first), V(last));
    while (query_row(&q)) {
        struct alert_bits bits = read_bits(&q, 2);
        visit(ctx, query_get_i64(&q, 0), query_get_i64(&q, 1), &bits);
    }
    return query_end(&q, fail);
}

enum err alert_trade_seqs(
    struct db *db, int64_t trade_no, int64_t last, struct arena *arena, int64_t **ret,
    size_t *ret_count, struct fail *fail)
{
    QUERY(
        q, db, "SELECT seq FROM change_log WHERE trade_no = $1 AND seq <= $2", V(trade_no),
        V(last));
    return list_read_items(&q, arena, ret, ret_count, fail, query_get_i64(&q, 0));
}

#define PUT(rows)                                                                                  \
    "INSERT INTO alert_match (alert_no, first_seq, bits) VALUES " rows                             \
    " ON CONFLICT (alert_no, first_seq) DO UPDATE SET bits = excluded.bits"                        \
    " WHERE alert_match.sent_at IS NULL"

static const char put_one[] = PUT("($1, $2, $3)");
static const char put_group[] =
    PUT("($1, $2, $3), ($4, $5, $6), ($7, $8, $9), ($10, $11, $12), ($13, $14, $15),"
        " ($16, $17, $18), ($19, $20, $21), ($22, $23, $24)");

_Static_assert(ALERT_MATCH_GROUP == 8, "the rows of the first statement");

/* All rows in one statement. */
static enum err put_all(
    struct db *db, const char *sql, int64_t after, const struct alert_match *matches, size_t count,
    struct fail *fail)
{
    BUF_SCOPED(rows, SIZE_MAX);
    for (size_t i = 0; i < count; i++) {
        char hex[2 * ALERT_BITS_SIZE];
        size_t n = bits_size(&matches[i].bits);
        hex_encode(matches[i].bits.bytes, n, hex);
        buf_fmt(
            &rows, "%c[%lld,\"%.*s\"]", i ? ',' : '[', (long long)matches[i].alert_no, (int)(2 * n),
            hex);
    }
    buf_char(&rows, ']');
    return query_run(db, fail, sql, V(buf_view(&rows)), V(after + 1));
}

enum err alert_match_put(
    struct db *db, int64_t after, const struct alert_match *matches, size_t count,
    struct fail *fail)
{
    const char *all = dialect_text(db_kind(db), DIALECT_ALERT_MATCH);
    enum err err = OK;
    assert(db_in_transaction(db));
    if (all && count)
        return put_all(db, all, after, matches, count, fail);
    for (size_t at = 0; at < count && !err;) {
        bool group = count - at >= ALERT_MATCH_GROUP;
        size_t end = at + (group ? ALERT_MATCH_GROUP : 1);
        QUERY(q, db, group ? put_group : put_one);
        for (; at < end; at++) {
            query_i64(&q, matches[at].alert_no);
            query_i64(&q, after + 1);
            query_blob(&q, matches[at].bits.bytes, bits_size(&matches[at].bits));
        }
        err = query_end(&q, fail);
    }
    return err;
}

enum err alert_pass_end(
    struct db *db, const struct alert_pass *pass, bool *ret_done, struct fail *fail)
{
    QUERY(
        q, db, "UPDATE counter SET value = $2 WHERE name = 'alert' AND value = $1", V(pass->after),
        V(pass->last));
    enum err err = query_end(&q, fail);
    *ret_done = !err && query_changes(&q) > 0;
    return err;
}

enum err alert_behind(struct db *db, struct alert_behind *ret, struct fail *fail)
{
    int64_t after;
    *ret = (struct alert_behind){.oldest_at = INSTANT_NONE};
    TRY(alert_position(db, &after, fail));
    QUERY(
        q, db,
        "SELECT at, (SELECT max(seq) FROM change_log) FROM change_log WHERE seq > $1"
        " ORDER BY seq LIMIT 1",
        V(after));
    if (query_row(&q))
        *ret = (struct alert_behind){query_get_i64(&q, 1) - after, query_get_i64(&q, 0)};
    return query_end(&q, fail);
}

/* --- what is to be sent */

static struct str digest_counter(enum alert_pace pace)
{
    assert(pace == ALERT_DAILY || pace == ALERT_WEEKLY);
    return pace == ALERT_DAILY ? STR("alert_daily") : STR("alert_weekly");
}

enum err alert_digest_day(struct db *db, enum alert_pace pace, int32_t *ret, struct fail *fail)
{
    QUERY(q, db, "SELECT value FROM counter WHERE name = $1", V(digest_counter(pace)));
    if (query_row(&q))
        *ret = (int32_t)query_get_i64(&q, 0);
    return query_end(&q, fail);
}

enum err alert_digest_done(struct db *db, enum alert_pace pace, int32_t day, struct fail *fail)
{
    return query_run(
        db, fail, "UPDATE counter SET value = $2 WHERE name = $1 AND value < $2",
        V(digest_counter(pace)), V(day));
}

enum err alert_entry_trade(struct db *db, int64_t seq, struct trade_row *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT t.no, t.filing_no, t.publication_no, t.disclosed_at, t.notified_day"
        " FROM change_log l JOIN trade t ON t.no = l.trade_no WHERE l.seq = $1",
        V(seq));
    if (query_row(&q)) {
        *ret = (struct trade_row){
            .no = query_get_i64(&q, 0),
            .filing_no = query_get_i64(&q, 1),
            .publication_no = query_get_i64(&q, 2),
            .trade.disclosed_at = query_get_i64(&q, 3),
            .notified_date = (int32_t)query_get_opt_i64(&q, 4, DAY_NONE),
        };
    }
    return query_end_or(&q, ERR_NOT_FOUND, fail, "entry %lld has no trade", (long long)seq);
}

enum err alert_waiting_read(
    struct db *db, enum alert_pace pace, int64_t position, int64_t after_account, int64_t limit,
    struct arena *arena, struct alert_waiting_list *ret, struct fail *fail)
{
    struct list list;
    list_init(&list, sizeof(struct alert_waiting));
    QUERY(
        q, db,
        "SELECT r.account_no, r.no, w.first_seq, w.bits FROM alert_match w JOIN alert r"
        " ON r.no = w.alert_no WHERE w.sent_at IS NULL AND w.first_seq <= $2 AND r.pace = $1"
        " AND r.state = 'enabled' AND r.account_no > $3"
        " ORDER BY r.account_no, w.first_seq, r.no LIMIT $4",
        V(alert_pace_name(pace)), V(position), V(after_account), V(limit));
    while (query_row(&q))
        *(struct alert_waiting *)list_add(&list) = (struct alert_waiting){
            .account_no = query_get_i64(&q, 0),
            .alert_no = query_get_i64(&q, 1),
            .first_seq = query_get_i64(&q, 2),
            .bits = read_bits(&q, 3),
        };
    enum err err = query_end(&q, fail);
    ret->count = list.count;
    ret->more = (int64_t)list.count == limit;
    ret->items = list_keep(&list, arena);
    return err;
}

enum err alert_each_owner(
    struct db *db, int64_t first_account, int64_t last_account, alert_owner_visit *visit, void *ctx,
    struct fail *fail)
{
    QUERY(
        q, db, "SELECT no, account_no FROM alert WHERE account_no >= $1 AND account_no <= $2",
        V(first_account), V(last_account));
    while (query_row(&q))
        visit(ctx, query_get_i64(&q, 0), query_get_i64(&q, 1));
    return query_end(&q, fail);
}

enum err alert_mail_exists(struct db *db, struct str stable_id, bool *ret, struct fail *fail)
{
    return query_any(db, ret, fail, "SELECT 1 FROM mail WHERE stable_id = $1", V(stable_id));
}

/* $1 to $4: account, pace, position, alert. */
#define WAITING_OF                                                                                 \
    " sent_at IS NULL AND first_seq <= $3 AND alert_no = (SELECT no FROM alert WHERE no = $4"      \
    " AND account_no = $1 AND pace = $2 AND state = 'enabled')"

static void bind_waiting(struct query *q, const struct alert_told *told, int64_t alert_no)
{
    query_i64(q, told->account_no);
    query_str(q, alert_pace_name(told->pace));
    query_i64(q, told->position);
    query_i64(q, alert_no);
}

static enum err mark_one(
    struct db *db, const struct alert_told *told, int64_t alert_no, int64_t now_ms,
    int64_t *ret_count, struct fail *fail)
{
    QUERY(q, db, "UPDATE alert_match SET sent_at = $5 WHERE" WAITING_OF);
    bind_waiting(&q, told, alert_no);
    query_i64(&q, now_ms);
    enum err err = query_end_count(&q, ret_count, fail);
    if (err || !*ret_count)
        return err;
    return query_run(
        db, fail, "UPDATE alert SET sent_at = $2, emails = emails + 1 WHERE no = $1", V(alert_no),
        V(now_ms));
}

enum err alert_mark_sent(
    struct db *db, const struct alert_told *told, int64_t now_ms, int64_t *ret_count,
    struct fail *fail)
{
    enum err err = OK;
    assert(db_in_transaction(db));
    *ret_count = 0;
    for (size_t i = 0; i < told->count && !err; i++) {
        int64_t count = 0;
        err = mark_one(db, told, told->alerts[i], now_ms, &count, fail);
        *ret_count += count;
    }
    return err;
}

enum err alert_mark_void(struct db *db, const struct alert_told *told, struct fail *fail)
{
    struct query q;
    enum err err = OK;
    for (size_t i = 0; i < told->count && !err; i++) {
        query_start(&q, db, "DELETE FROM alert_match WHERE" WAITING_OF);
        bind_waiting(&q, told, told->alerts[i]);
        err = query_end(&q, fail);
    }
    return err;
}

enum err alert_match_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail)
{
    QUERY(
        q, db,
        "DELETE FROM alert_match WHERE (alert_no, first_seq) IN (SELECT alert_no, first_seq"
        " FROM alert_match WHERE sent_at < $1 LIMIT $2)",
        V(now_ms - (int64_t)ALERT_KEPT_DAYS * DAY_MS), V(limit));
    return query_end_count(&q, ret_count, fail);
}

enum err alert_match_prune_orphans(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail)
{
    QUERY(
        q, db,
        "DELETE FROM alert_match WHERE sent_at IS NULL AND (alert_no, first_seq) IN"
        " (SELECT m.alert_no, m.first_seq FROM alert_match m LEFT JOIN alert r"
        " ON r.no = m.alert_no AND r.state = 'enabled' WHERE m.sent_at IS NULL AND r.no IS NULL"
        " LIMIT $1)",
        V(limit));
    return query_end_count(&q, ret_count, fail);
}
