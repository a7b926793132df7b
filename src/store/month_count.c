/* Month counts; see month_count.h. */
#include "store/month_count.h"

#include <assert.h>
#include <stdio.h>

#include "base/buf.h"
#include "store/name.h"

static const struct str kind_names[] = {
    [MONTH_COUNT_KEY] = STR_INIT("key"),
    [MONTH_COUNT_ADDRESS] = STR_INIT("address"),
};

enum err month_count_add(
    struct db *db, enum month_count_kind kind, struct str caller, int32_t month, int64_t delta,
    int64_t *ret_used, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "INSERT INTO month_count (month, kind, caller, used)"
        " VALUES ($1, $2, $3, CASE WHEN CAST($4 AS BIGINT) < 0 THEN 0 ELSE CAST($4 AS BIGINT) END)"
        " ON CONFLICT (month, kind, caller) DO UPDATE SET used ="
        " CASE WHEN month_count.used + CAST($4 AS BIGINT) < 0 THEN 0"
        " ELSE month_count.used + CAST($4 AS BIGINT) END RETURNING used");
    query_i64(&q, month);
    query_str(&q, kind_names[kind]);
    query_blob(&q, caller.p, caller.n);
    query_i64(&q, delta);
    if (query_row(&q) && ret_used)
        *ret_used = query_get_i64(&q, 0);
    return query_end(&q, fail);
}

enum err month_count_remove(
    struct db *db, enum month_count_kind kind, struct str caller, int32_t month, struct fail *fail)
{
    struct query q;
    query_start(&q, db, "DELETE FROM month_count WHERE month = $1 AND kind = $2 AND caller = $3");
    query_i64(&q, month);
    query_str(&q, kind_names[kind]);
    query_blob(&q, caller.p, caller.n);
    return query_end(&q, fail);
}

enum err month_count_each(
    struct db *db, int32_t month, month_count_visit *visit, void *ctx, struct fail *fail)
{
    struct query q;
    query_start(&q, db, "SELECT kind, caller, used FROM month_count WHERE month = $1");
    query_i64(&q, month);
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
    struct query q;
    int64_t used = 0;
    query_start(
        &q, db, "SELECT used FROM month_count WHERE month = $1 AND kind = $2 AND caller = $3");
    query_i64(&q, month);
    query_str(&q, kind_names[MONTH_COUNT_KEY]);
    query_blob(&q, text, (size_t)n);
    if (query_row(&q))
        used = query_get_i64(&q, 0);
    enum err err = query_end(&q, fail);
    if (!err)
        *ret_used = used;
    return err;
}

enum err month_count_prune(struct db *db, int32_t month, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db, "DELETE FROM month_count WHERE month < $1 OR (month < $2 AND kind = 'address')");
    query_i64(&q, month - MONTH_COUNT_KEPT);
    query_i64(&q, month);
    return query_end(&q, fail);
}

enum err month_count_months_of(
    struct db *db, int64_t key_no, month_count_month *visit, void *ctx, struct fail *fail)
{
    char caller[DIGITS_MAX_U64 + 1];
    struct buf b = buf_over(caller, sizeof caller);
    struct query q;
    buf_i64(&b, key_no);
    query_start(
        &q, db,
        "SELECT month, used FROM month_count WHERE kind = 'key' AND caller = $1"
        " ORDER BY month DESC");
    query_blob(&q, b.p, b.n);
    while (query_row(&q))
        visit(ctx, (int32_t)query_get_i64(&q, 0), query_get_i64(&q, 1));
    return query_end(&q, fail);
}
