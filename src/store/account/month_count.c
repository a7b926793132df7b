/* Month counts; see month_count.h. */
#include "store/account/month_count.h"

#include <assert.h>
#include <stdio.h>

#include "base/codec.h"
#include "db/dialect.h"
#include "store/row/name.h"

static const struct str kind_names[] = {
    [MONTH_COUNT_KEY] = STR_INIT("key"),
    [MONTH_COUNT_ADDRESS] = STR_INIT("address"),
};

enum err month_count_add(
    struct db *db, enum month_count_kind kind, struct str caller, int32_t month, int64_t delta,
    int64_t *ret_used, struct fail *fail)
{
    QUERY(
        q, db,
        "INSERT INTO month_count (month, kind, caller, used)"
        " VALUES ($1, $2, $3, CASE WHEN CAST($4 AS BIGINT) < 0 THEN 0 ELSE CAST($4 AS BIGINT) END)"
        " ON CONFLICT (month, kind, caller) DO UPDATE SET used ="
        " CASE WHEN month_count.used + CAST($4 AS BIGINT) < 0 THEN 0"
        " ELSE month_count.used + CAST($4 AS BIGINT) END RETURNING used",
        V(month), V(kind_names[kind]), V_BLOB(caller.p, caller.n), V(delta));
    if (query_row(&q) && ret_used)
        *ret_used = query_get_i64(&q, 0);
    return query_end(&q, fail);
}

enum { DRAW_TEXT_MAX = 128 }; /* one draw as JSON */

/* A JSON array of [month, kind, caller in hexadecimal digits, delta]. */
static void put_draws(struct buf *b, const struct month_count_draw *draws, size_t n)
{
    buf_char(b, '[');
    for (size_t i = 0; i < n; i++) {
        char hex[2 * MONTH_COUNT_CALLER_MAX];
        assert(draws[i].caller.n <= MONTH_COUNT_CALLER_MAX && draws[i].delta >= 0);
        hex_encode(draws[i].caller.p, draws[i].caller.n, hex);
        buf_fmt(
            b, "%s[%d,\"%.*s\",\"%.*s\",%lld]", i ? "," : "", (int)draws[i].month,
            STR_ARG(kind_names[draws[i].kind]), (int)(2 * draws[i].caller.n), hex,
            (long long)draws[i].delta);
    }
    buf_char(b, ']');
    assert(!b->overflow);
}

static enum err add_at_once(
    struct db *db, const char *sql, const struct month_count_draw *draws, size_t n,
    struct fail *fail)
{
    BUF_SCOPED(b, MONTH_COUNT_ADD_MAX * DRAW_TEXT_MAX);
    size_t i = 0;
    put_draws(&b, draws, n);
    QUERY(q, db, sql, V(buf_view(&b)));
    for (; i < n && query_row(&q); i++) {
        assert(str_eq(query_get_str(&q, 0), draws[i].caller));
        *draws[i].ret_used = query_get_i64(&q, 1);
    }
    enum err err = query_end(&q, fail);
    assert(err || i == n);
    return err;
}

enum err month_count_add_all(
    struct db *db, const struct month_count_draw *draws, size_t n, struct fail *fail)
{
    const char *sql = dialect_text(db_kind(db), DIALECT_MONTH_COUNT_ADD);
    enum err err = OK;
    assert(n <= MONTH_COUNT_ADD_MAX);
    if (sql)
        return n ? add_at_once(db, sql, draws, n, fail) : OK;
    for (size_t i = 0; i < n && !err; i++)
        err = month_count_add(
            db, draws[i].kind, draws[i].caller, draws[i].month, draws[i].delta, draws[i].ret_used,
            fail);
    return err;
}

enum err month_count_remove(
    struct db *db, enum month_count_kind kind, struct str caller, int32_t month, struct fail *fail)
{
    return query_run(
        db, fail, "DELETE FROM month_count WHERE month = $1 AND kind = $2 AND caller = $3",
        V(month), V(kind_names[kind]), V_BLOB(caller.p, caller.n));
}

enum err month_count_each(
    struct db *db, int32_t month, month_count_visit *visit, void *ctx, struct fail *fail)
{
    QUERY(q, db, "SELECT kind, caller, used FROM month_count WHERE month = $1", V(month));
    while (query_row(&q)) {
        int kind = name_find(kind_names, NAME_COUNT(kind_names), query_get_str(&q, 0));
        assert(kind >= 0); /* a CHECK of the table */
        visit(ctx, (enum month_count_kind)kind, query_get_blob(&q, 1), query_get_i64(&q, 2));
    }
    return query_end(&q, fail);
}

enum err month_count_of_key(
    struct db *db, int64_t key_no, int32_t month, int64_t *ret_used, struct fail *fail)
{
    char text[24];
    int n = snprintf(text, sizeof text, "%lld", (long long)key_no);
    int64_t used = 0;
    TRY(query_number(
        db, &used, fail,
        "SELECT used FROM month_count WHERE month = $1 AND kind = $2 AND caller = $3", V(month),
        V(kind_names[MONTH_COUNT_KEY]), V_BLOB(text, (size_t)n)));
    *ret_used = used;
    return OK;
}

enum err month_count_prune(struct db *db, int32_t month, struct fail *fail)
{
    return query_run(
        db, fail, "DELETE FROM month_count WHERE month < $1 OR (month < $2 AND kind = 'address')",
        V(month - MONTH_COUNT_KEPT), V(month));
}

enum err month_count_months_of(
    struct db *db, int64_t key_no, month_count_month *visit, void *ctx, struct fail *fail)
{
    char caller[DIGITS_MAX_U64 + 1];
    struct buf b = buf_over(caller, sizeof caller);
    buf_i64(&b, key_no);
    QUERY(
        q, db,
        "SELECT month, used FROM month_count WHERE kind = 'key' AND caller = $1"
        " ORDER BY month DESC",
        V_BLOB(b.p, b.n));
    while (query_row(&q))
        visit(ctx, (int32_t)query_get_i64(&q, 0), query_get_i64(&q, 1));
    return query_end(&q, fail);
}
