/*
 * The rules of `stockact check`; see check.h. Each rule is a statement whose rows are the problems:
 * one text column that names the thing. All rules run in one snapshot.
 */
#include "store/check/check.h"

#include "base/progress_hook.h"
#include "db/row_digest.h"
#include "store/check/chain_check.h"
#include "store/check/check_rows.h"

enum { FINDINGS_PER_RULE = 20, LINE_SIZE_MAX = 1000 };

struct rule {
    const char *broken; /* printed before the thing's name */
    const char *sql;
};

/* The integrity checks of both databases report in their own words. */
static const struct rule sqlite_rules[] = {
    {"the file is damaged or unreadable", "SELECT integrity_check FROM pragma_integrity_check"
                                          " WHERE integrity_check <> 'ok'"},
    {"a row refers to a row that does not exist",
     "SELECT \"table\" || ' ' || coalesce(CAST(rowid AS TEXT), '') || ' -> ' || parent"
     " FROM pragma_foreign_key_check"},
};

static const struct rule rules[] = {
    {"a public trade's filing is not published",
     "SELECT t.id FROM trade t JOIN filing f ON f.no = t.filing_no WHERE t.withdrawn_at IS NULL"
     " AND f.state NOT IN ('published', 'amended')"},
    {"a trade's id is not its filing's and its row",
     "SELECT t.id FROM trade t JOIN filing f ON f.no = t.filing_no WHERE t.id <> f.id || '-'"
     " || substr('0000', length(CAST(t.position AS TEXT)) + 1) || CAST(t.position AS TEXT)"},
    {"a live trade's instant is not its publication's",
     "SELECT t.id FROM trade t JOIN publication p ON p.no = t.publication_no"
     " WHERE p.kind = 'live' AND t.disclosed_at <> p.at"},
    {"a backfilled trade's instant is not its filing's",
     "SELECT t.id FROM trade t JOIN publication p ON p.no = t.publication_no"
     " JOIN filing f ON f.no = t.filing_no"
     " WHERE p.kind = 'backfill' AND t.disclosed_at <> f.published_at"},
    {"a live publication is not later than the one before it",
     "SELECT CAST(b.no AS TEXT) FROM publication a JOIN publication b ON b.no = (SELECT min(c.no)"
     " FROM publication c WHERE c.kind = 'live' AND c.no > a.no)"
     " WHERE a.kind = 'live' AND b.at <= a.at"},
    {"a backfilled trade is not older than the first live publication",
     "SELECT t.id FROM trade t JOIN publication p ON p.no = t.publication_no"
     " WHERE p.kind = 'backfill' AND t.disclosed_at >="
     " (SELECT min(l.at) FROM publication l WHERE l.kind = 'live')"},
    {"a publication's count of trades is wrong",
     "SELECT CAST(p.no AS TEXT) FROM publication p LEFT JOIN (SELECT publication_no AS no,"
     " count(*) AS n FROM trade GROUP BY publication_no) t ON t.no = p.no"
     " WHERE p.trades <> coalesce(t.n, 0)"},
    {"a trade's row was withdrawn without an entry in the log",
     "SELECT t.id FROM trade t WHERE t.withdrawn_at IS NOT NULL AND NOT EXISTS"
     " (SELECT 1 FROM correction c WHERE c.trade_id = t.id AND c.kind = 'withdrawn')"},
    {"a trade is not in the state that its last withdrawal or reinstatement says",
     "SELECT t.id FROM trade t JOIN (SELECT trade_id, sum(CASE kind WHEN 'withdrawn' THEN 1"
     " WHEN 'reinstated' THEN -1 ELSE 0 END) AS gone FROM correction GROUP BY trade_id) c"
     " ON c.trade_id = t.id WHERE c.gone <> CASE WHEN t.withdrawn_at IS NULL THEN 0 ELSE 1 END"},
    {"a trade was withdrawn with a filing that is not withdrawn",
     "SELECT t.id FROM trade t JOIN filing f ON f.no = t.filing_no"
     " WHERE t.withdrawn_with_filing = 1"
     " AND (t.withdrawn_at IS NULL OR f.state <> 'withdrawn')"},
    {"a backfill has no entry in the log",
     "SELECT CAST(p.no AS TEXT) FROM publication p WHERE p.kind = 'backfill' AND NOT EXISTS"
     " (SELECT 1 FROM correction c WHERE c.kind = 'backfill' AND c.at = p.at)"},
    {"the sequence of changes has a gap",
     "SELECT CAST(l.seq AS TEXT) FROM change_log l WHERE l.seq > 1 AND NOT EXISTS"
     " (SELECT 1 FROM change_log b WHERE b.seq = l.seq - 1)"},
    {"the instant of a change is before that of the previous one",
     "SELECT CAST(l.seq AS TEXT) FROM change_log l JOIN change_log b ON b.seq = l.seq - 1"
     " WHERE l.at < b.at"},
    {"a trade was published without an entry in the sequence of changes",
     "SELECT t.id FROM trade t LEFT JOIN change_log l ON l.trade_no = t.no"
     " AND l.kind = 'published' WHERE l.seq IS NULL"},
    {"a correction has no entry in the sequence of changes",
     "SELECT CAST(c.no AS TEXT) FROM correction c LEFT JOIN change_log l"
     " ON l.correction_no = c.no WHERE c.kind <> 'backfill' AND l.seq IS NULL"},
    {"a signal has neither the instant of its publication nor an entry in the sequence of changes",
     "SELECT t.id FROM finding_history h JOIN trade t ON t.no = h.trade_no"
     " JOIN publication p ON p.no = t.publication_no"
     " LEFT JOIN change_log l ON l.history_no = h.no WHERE h.at <> p.at AND l.seq IS NULL"},
    {"a signal is not the one after that before it",
     "SELECT t.id FROM finding_history h JOIN trade t ON t.no = h.trade_no"
     " WHERE coalesce(h.old_no, 0) <> coalesce((SELECT b.new_no FROM finding_history b"
     " WHERE b.trade_no = h.trade_no AND b.no < h.no ORDER BY b.no DESC LIMIT 1), 0)"},
    {"the instant of a change is not that of what changed",
     "SELECT CAST(l.seq AS TEXT) FROM change_log l LEFT JOIN change_log b ON b.seq = l.seq - 1"
     " LEFT JOIN (SELECT t.no, p.at FROM trade t JOIN publication p ON p.no = t.publication_no) p"
     " ON p.no = l.trade_no AND l.kind = 'published'"
     " LEFT JOIN correction c ON c.no = l.correction_no"
     " LEFT JOIN finding_history h ON h.no = l.history_no"
     " WHERE l.at <> CASE WHEN b.at > coalesce(p.at, c.at, h.at) THEN b.at"
     " ELSE coalesce(p.at, c.at, h.at) END"},
    {"an entry in the sequence of changes is about something else than it says",
     "SELECT CAST(l.seq AS TEXT) FROM change_log l LEFT JOIN trade t ON t.no = l.trade_no"
     " LEFT JOIN correction c ON c.no = l.correction_no"
     " LEFT JOIN finding_history h ON h.no = l.history_no"
     " WHERE (l.correction_no IS NULL) <> (l.kind IN ('published', 'signal'))"
     " OR (l.history_no IS NULL) <> (l.kind <> 'signal')"
     " OR (l.trade_no IS NOT NULL AND (t.no IS NULL OR t.filing_no <> l.filing_no))"
     " OR (l.correction_no IS NOT NULL AND coalesce(c.trade_id, '') <> coalesce(t.id, ''))"
     " OR (l.history_no IS NOT NULL AND (h.no IS NULL OR h.trade_no <> l.trade_no))"},
    {"a publication is missing: the last one has the number",
     "SELECT CAST(c.value AS TEXT) FROM counter c WHERE c.name = 'publication'"
     " AND c.value <> (SELECT count(*) FROM publication)"},
    {"a publication has no entry in the chain over publications",
     "SELECT CAST(p.no AS TEXT) FROM publication p WHERE NOT EXISTS"
     " (SELECT 1 FROM chain l WHERE l.row_no = p.no AND l.noun = 'publication')"},
    {"a correction has no entry in the chain over publications",
     "SELECT CAST(c.no AS TEXT) FROM correction c WHERE NOT EXISTS"
     " (SELECT 1 FROM chain l WHERE l.row_no = c.no AND l.noun = 'correction')"},
    {"a counter is behind what it counted",
     "SELECT c.name FROM counter c WHERE c.value < CASE c.name"
     " WHEN 'change' THEN (SELECT coalesce(max(seq), 0) FROM change)"
     " WHEN 'publication' THEN (SELECT coalesce(max(no), 0) FROM publication)"
     " WHEN 'published_at' THEN"
     " (SELECT coalesce(max(at), 0) FROM publication WHERE kind = 'live')"
     " ELSE c.value END"}, /* flush.h */
    {"a trade has another signal than the last line of its history says",
     "SELECT t.id FROM finding_history h JOIN trade t ON t.no = h.trade_no"
     " LEFT JOIN trade_finding s ON s.trade_no = h.trade_no WHERE h.no ="
     " (SELECT max(l.no) FROM finding_history l WHERE l.trade_no = h.trade_no)"
     " AND coalesce(h.new_no, 0) <> coalesce(s.finding_no, 0)"},
    {"a trade has a signal without a line in its history",
     "SELECT t.id FROM trade_finding s JOIN trade t ON t.no = s.trade_no WHERE NOT EXISTS"
     " (SELECT 1 FROM finding_history h WHERE h.trade_no = s.trade_no)"},
    {"an event has no trade", "SELECT e.id FROM event e WHERE e.type = 'trade.published' AND NOT"
                              " EXISTS (SELECT 1 FROM publication p WHERE p.no = e.publication_no"
                              " AND p.trades > 0)"},
    {"a delivery ended before it was tried",
     "SELECT d.id FROM delivery d WHERE d.state IN ('delivered', 'failed') AND d.attempts = 0"},
    {"a member's slug is empty", "SELECT m.id FROM member m WHERE m.slug = ''"},
    {"the database holds trades but does not say whether they are real",
     "SELECT 'table meta' FROM counter WHERE name = 'publication' AND value > 0 AND NOT EXISTS"
     " (SELECT 1 FROM meta WHERE name = 'data')"},
};

static void tell(
    const struct rule *rule, struct str thing, int64_t more, check_found *found, void *ctx)
{
    BUF_SCOPED(line, LINE_SIZE_MAX);
    buf_fmt(&line, "%s: %.*s", rule->broken, STR_ARG(str_slice(thing, 0, LINE_SIZE_MAX / 2)));
    if (more)
        buf_fmt(&line, " and %lld more", (long long)more);
    found(ctx, buf_view(&line));
}

/* Reports the first problems one by one, and then the number of the others. */
static enum err run_rule(
    struct db *db, const struct rule *rule, check_found *found, void *ctx, int64_t *findings,
    struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct str last = STR_NULL;
    int64_t n = 0;
    QUERY(q, db, rule->sql);
    for (; query_row(&q); n++) {
        if (n < FINDINGS_PER_RULE - 1)
            tell(rule, query_get_str(&q, 0), 0, found, ctx);
        else if (n == FINDINGS_PER_RULE - 1)
            last = query_text(&q, 0, &arena);
    }
    enum err err = query_end(&q, fail);
    if (!err && !str_is_null(last))
        tell(rule, last, n - FINDINGS_PER_RULE, found, ctx);
    *findings += n;
    return err;
}

static enum err run_rules(
    struct db *db, check_found *found, void *ctx, const struct progress_hook *progress,
    int64_t *findings, struct fail *fail)
{
    enum {
        OWN = sizeof sqlite_rules / sizeof *sqlite_rules,
        COMMON = sizeof rules / sizeof *rules
    };
    size_t own = db_kind(db) == DB_SQLITE ? OWN : 0, count = own + COMMON;
    enum err err = OK;
    progress_enter(progress, CHECK_RULES, (int64_t)count);
    for (size_t i = 0; !err && i < count; i++) {
        const struct rule *rule = i < own ? &sqlite_rules[i] : &rules[i - own];
        err = run_rule(db, rule, found, ctx, findings, fail);
        progress_tell(progress, (int64_t)i + 1, (int64_t)count);
    }
    return err;
}

static enum err run_chain(
    struct db *db, check_found *found, void *ctx, const struct progress_hook *progress,
    int64_t *findings, struct fail *fail)
{
    const struct chain_head start = {.no = 0};
    struct chain_head end;
    progress_enter(progress, CHECK_ROWS, 0);
    enum err err = check_rows(db, found, ctx, progress, findings, fail);
    progress_enter(progress, CHECK_CHAIN, 0);
    if (!err)
        err = chain_check(db, &start, found, ctx, progress, findings, &end, fail);
    return err ? err : chain_check_checkpoint(db, found, ctx, findings, fail);
}

enum err check_run(
    struct db *db, check_found *found, void *ctx, const struct progress_hook *progress,
    int64_t *ret_findings, struct fail *fail)
{
    int64_t findings = 0;
    TRY(db_begin_read(db, fail));
    enum err err = run_rules(db, found, ctx, progress, &findings, fail);
    if (!err)
        err = run_chain(db, found, ctx, progress, &findings, fail);
    db_rollback(db);
    if (!err)
        *ret_findings = findings;
    return err;
}

enum err check_unsealed(struct db *db, int64_t *ret, struct fail *fail)
{
    *ret = 0;
    for (int kind = ROW_DIGEST_SEALED; kind < ROW_DIGEST_COUNT; kind++) {
        int64_t n = 0;
        TRY(query_number(db, &n, fail, row_table((enum row_digest)kind)->unsealed));
        *ret += n;
    }
    return OK;
}
