/* Repairs instants of the future; see redate.h. */
#include "store/public/redate.h"

#include "db/chain.h"
#include "db/migrate.h"
#include "db/row_digest.h"
#include "store/public/publication.h"
#include "store/public/reseal.h"
#include "store/row/change.h"
#include "store/row/credible.h"
#include "store/row/list.h"

#define MOVE(table, column) "UPDATE " table " SET " column " = $2 WHERE " column " = $1"

/* What has an instant at which something became public, changed or was withdrawn. */
static const char *const moves[] = {
    "UPDATE publication SET at = $2, range_start = CASE WHEN kind = 'live' AND range_start IS NOT"
    " NULL THEN $2 ELSE range_start END, range_end = CASE WHEN kind = 'live' AND range_end IS NOT"
    " NULL THEN $2 ELSE range_end END WHERE at = $1",
    MOVE("filing", "published_at"),
    MOVE("filing", "withdrawn_at"),
    MOVE("trade", "disclosed_at"),
    MOVE("trade", "withdrawn_at"),
    MOVE("finding_history", "at"),
    MOVE("correction", "at"),
    MOVE("change_log", "at"),
    MOVE("event", "created_at"),
};

#define ALL_LATER                                                                                  \
    "SELECT at FROM publication WHERE at > $1 UNION SELECT published_at FROM filing"               \
    " WHERE published_at > $1 UNION SELECT withdrawn_at FROM filing WHERE withdrawn_at > $1"       \
    " UNION SELECT disclosed_at FROM trade WHERE disclosed_at > $1 UNION SELECT withdrawn_at"      \
    " FROM trade WHERE withdrawn_at > $1 UNION SELECT at FROM finding_history WHERE at > $1"       \
    " UNION SELECT at FROM correction WHERE at > $1 UNION SELECT at FROM change_log WHERE at > $1" \
    " ORDER BY 1"

static const struct str append_only[] = {
    STR_INIT("finding_history"), STR_INIT("correction"), STR_INIT("change_log")};

enum { APPEND_ONLY = sizeof append_only / sizeof *append_only };

/* The latest instant that is not of the future. */
static enum err limit(struct db *db, int64_t *now_ms, int64_t *ret, struct fail *fail)
{
    enum err err = credible_now(db, now_ms, fail);
    *ret = *now_ms + CREDIBLE_AHEAD_MS;
    return err;
}

static enum err read_numbers(
    struct db *db, const char *sql, int64_t limit_ms, struct list *ret, struct fail *fail)
{
    QUERY(q, db, sql, V(limit_ms));
    while (query_row(&q))
        *(int64_t *)list_add(ret) = query_get_i64(&q, 0);
    return query_end(&q, fail);
}

static int64_t at(const struct list *list, size_t i)
{
    return ((const int64_t *)(const void *)list->items)[i];
}

static struct redate_found found_in(const struct list *list)
{
    return list->count
               ? (struct redate_found){(int64_t)list->count, at(list, 0), at(list, list->count - 1)}
               : (struct redate_found){0, INSTANT_NONE, INSTANT_NONE};
}

enum err redate_find(struct db *db, int64_t now_ms, struct redate_found *ret, struct fail *fail)
{
    int64_t limit_ms;
    LIST_SCOPED(list, int64_t);
    enum err err = limit(db, &now_ms, &limit_ms, fail);
    if (!err)
        err = read_numbers(db, ALL_LATER, limit_ms, &list, fail);
    *ret = found_in(&list);
    return err;
}

/* --- digests */

struct redating {
    struct db *db;
    int64_t limit_ms;
    struct list instants, publications, corrections; /* of int64_t */
    struct list trades, filings;                     /* of struct reseal */
};

static enum err seal_rows(struct redating *r, struct fail *fail)
{
    LIST_SCOPED(nos, int64_t);
    enum err err = read_numbers(
        r->db, "SELECT no FROM trade WHERE disclosed_at > $1 OR withdrawn_at > $1", r->limit_ms,
        &nos, fail);
    for (size_t i = 0; i < nos.count && !err; i++)
        err = reseal_trade_begin_no(r->db, at(&nos, i), list_add(&r->trades), fail);
    nos.count = 0;
    if (!err)
        err = read_numbers(
            r->db, "SELECT no FROM filing WHERE published_at > $1 OR withdrawn_at > $1",
            r->limit_ms, &nos, fail);
    for (size_t i = 0; i < nos.count && !err; i++)
        err = reseal_filing_begin_no(r->db, at(&nos, i), list_add(&r->filings), fail);
    return err;
}

static enum err seal_all(struct redating *r, struct fail *fail)
{
    for (size_t i = 0; i < r->trades.count; i++)
        TRY(reseal_trade_end(r->db, (struct reseal *)(void *)r->trades.items + i, fail));
    for (size_t i = 0; i < r->filings.count; i++)
        TRY(reseal_filing_end(r->db, (struct reseal *)(void *)r->filings.items + i, fail));
    for (size_t i = 0; i < r->publications.count; i++)
        TRY(chain_renew(r->db, CHAIN_PUBLICATION, at(&r->publications, i), fail));
    for (size_t i = 0; i < r->corrections.count; i++)
        TRY(chain_renew(r->db, CHAIN_CORRECTION, at(&r->corrections, i), fail));
    return OK;
}

/* --- moving */

static enum err lift(struct redating *r, bool lifted, struct fail *fail)
{
    for (size_t i = 0; i < APPEND_ONLY; i++)
        TRY(migrate_lift_append_only(r->db, append_only[i], lifted, fail));
    return OK;
}

static enum err move(
    struct redating *r, int64_t old_ms, int64_t new_ms, struct str reason, int64_t now_ms,
    struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; i < sizeof moves / sizeof *moves && !err; i++) {
        err = query_run(r->db, fail, moves[i], V(old_ms), V(new_ms));
    }
    if (err)
        return err;
    return query_run(
        r->db, fail, "INSERT INTO redated (old_at, new_at, at, reason) VALUES ($1, $2, $3, $4)",
        V(old_ms), V(new_ms), V(now_ms), V(reason));
}

/* The newest instant that stays. */
static enum err read_last(struct redating *r, int64_t *ret, struct fail *fail)
{
    *ret = 0;
    QUERY(
        q, r->db,
        "SELECT max(at) FROM (SELECT max(at) AS at FROM change_log WHERE at <= $1 UNION ALL"
        " SELECT max(at) FROM publication WHERE at <= $1) stays",
        V(r->limit_ms));
    if (query_row(&q))
        *ret = query_get_opt_i64(&q, 0, 0);
    return query_end(&q, fail);
}

static enum err set_counter(struct redating *r, struct fail *fail)
{
    return query_run(
        r->db, fail,
        "UPDATE counter SET value = (SELECT coalesce(max(CASE kind WHEN 'live' THEN at"
        " ELSE range_end END), 0) FROM publication) WHERE name = 'published_at' AND value > $1",
        V(r->limit_ms));
}

static enum err read_all(struct redating *r, struct fail *fail)
{
    TRY(read_numbers(r->db, ALL_LATER, r->limit_ms, &r->instants, fail));
    TRY(read_numbers(
        r->db, "SELECT no FROM publication WHERE at > $1 ORDER BY no", r->limit_ms,
        &r->publications, fail));
    TRY(read_numbers(
        r->db, "SELECT no FROM correction WHERE at > $1 ORDER BY no", r->limit_ms, &r->corrections,
        fail));
    return seal_rows(r, fail);
}

static enum err run(
    struct redating *r, struct str reason, int64_t now_ms, int64_t *ret_first, struct fail *fail)
{
    int64_t last, count = (int64_t)r->instants.count;
    enum err err = read_last(r, &last, fail);
    int64_t start = last > now_ms - count ? last : now_ms - count;
    if (!err)
        err = lift(r, true, fail);
    for (size_t i = 0; i < r->instants.count && !err; i++)
        err = move(r, at(&r->instants, i), start + 1 + (int64_t)i, reason, now_ms, fail);
    *ret_first = start + 1;
    if (!err)
        err = lift(r, false, fail);
    if (!err)
        err = row_seal_all(r->db, ROW_DIGEST_EVENT, ROW_DIGEST_EVENT, fail);
    return err ? err : seal_all(r, fail);
}

enum err redate(
    struct db *db, struct str reason, int64_t now_ms, struct redate_found *ret, int64_t *ret_first,
    struct fail *fail)
{
    struct redating r = {.db = db};
    list_init(&r.instants, sizeof(int64_t));
    list_init(&r.publications, sizeof(int64_t));
    list_init(&r.corrections, sizeof(int64_t));
    list_init(&r.trades, sizeof(struct reseal));
    list_init(&r.filings, sizeof(struct reseal));
    enum err err = publication_lock(db, fail);
    if (!err)
        err = limit(db, &now_ms, &r.limit_ms, fail);
    if (!err)
        err = read_all(&r, fail);
    *ret = found_in(&r.instants);
    *ret_first = INSTANT_NONE;
    if (!err && ret->count)
        err = run(&r, reason, now_ms, ret_first, fail);
    if (!err)
        err = set_counter(&r, fail);
    if (!err && ret->count)
        err = change_add(db, STR("feed"), STR(""), NULL, fail);
    list_finish(&r.instants);
    list_finish(&r.publications);
    list_finish(&r.corrections);
    list_finish(&r.trades);
    list_finish(&r.filings);
    return err;
}
