/* What keys were used for; see key_usage.h. */
#include "store/account/key_usage.h"

#include <assert.h>

#include "store/account/key.h"
#include "store/row/list.h"

enum { FIRST_COUNT = 1 }; /* column */

_Static_assert(USAGE_KINDS == 5, "the statements below name each kind");

enum err key_day_add(
    struct db *db, int64_t key_no, int32_t day, const struct usage_counts *counts,
    struct fail *fail)
{
    QUERY(
        q, db,
        "INSERT INTO key_day"
        " (key_no, day, ok, not_modified, client_errors, rate_limited, server_errors)"
        " SELECT no, CAST($2 AS BIGINT), CAST($3 AS BIGINT), CAST($4 AS BIGINT),"
        " CAST($5 AS BIGINT), CAST($6 AS BIGINT), CAST($7 AS BIGINT) FROM api_key WHERE no = $1"
        " ON CONFLICT (key_no, day) DO UPDATE SET"
        " ok = key_day.ok + excluded.ok,"
        " not_modified = key_day.not_modified + excluded.not_modified,"
        " client_errors = key_day.client_errors + excluded.client_errors,"
        " rate_limited = key_day.rate_limited + excluded.rate_limited,"
        " server_errors = key_day.server_errors + excluded.server_errors",
        V(key_no), V(day));
    for (int kind = 0; kind < USAGE_KINDS; kind++)
        query_i64(&q, counts->n[kind]);
    return query_end(&q, fail);
}

enum err key_day_prune(struct db *db, int32_t day, struct fail *fail)
{
    return query_run(db, fail, "DELETE FROM key_day WHERE day < $1", V(day));
}

enum err key_day_read(
    struct db *db, int64_t key_no, int32_t first, struct usage_counts *ret, size_t n,
    struct fail *fail)
{
    for (size_t i = 0; i < n; i++)
        ret[i] = (struct usage_counts){0};
    QUERY(
        q, db,
        "SELECT day, ok, not_modified, client_errors, rate_limited, server_errors FROM key_day"
        " WHERE key_no = $1 AND day >= $2 AND day < $3",
        V(key_no), V(first), V(first + (int64_t)n));
    while (query_row(&q)) {
        int64_t i = query_get_i64(&q, 0) - first;
        assert(i >= 0 && i < (int64_t)n);
        for (int kind = 0; kind < USAGE_KINDS; kind++)
            ret[i].n[kind] = query_get_i64(&q, FIRST_COUNT + kind);
    }
    return query_end(&q, fail);
}

/* --- errors */

/* Adds to the error of the same minute, if there is one. */
static enum err error_join(
    struct db *db, int64_t key_no, const struct usage_error *error, bool *ret_joined,
    struct fail *fail)
{
    int64_t changed = 0;
    int64_t minute = error->at - error->at % MINUTE_MS;
    QUERY(
        q, db,
        "UPDATE key_error SET count = count + $2, at = CASE WHEN at < $3 THEN $3 ELSE at END"
        " WHERE no = (SELECT min(no) FROM key_error WHERE key_no = $1 AND status = 429"
        " AND at >= $4 AND at < $5)",
        V(key_no), V(error->count), V(error->at), V(minute), V(minute + MINUTE_MS));
    enum err err = query_end_count(&q, &changed, fail);
    *ret_joined = changed > 0;
    return err;
}

static enum err error_insert(
    struct db *db, int64_t key_no, const struct usage_error *error, struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO key_error (key_no, at, status, error, path, count)"
        " SELECT no, CAST($2 AS BIGINT), CAST($3 AS BIGINT), CAST($4 AS TEXT), CAST($5 AS TEXT),"
        " CAST($6 AS BIGINT) FROM api_key WHERE no = $1",
        V(key_no), V(error->at), V(error->status), V(error->error), V(error->path),
        V(error->count));
}

static enum err errors_trim(struct db *db, int64_t key_no, struct fail *fail)
{
    return query_run(
        db, fail,
        "DELETE FROM key_error WHERE key_no = $1 AND no NOT IN"
        " (SELECT no FROM key_error WHERE key_no = $1 ORDER BY at DESC, no DESC LIMIT $2)",
        V(key_no), V(USAGE_ERRORS_KEPT));
}

enum err key_errors_add(
    struct db *db, int64_t key_no, const struct usage_error *errors, size_t n, struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; i < n && !err; i++) {
        bool joined = false;
        if (usage_error_joins(&errors[i], &errors[i]))
            err = error_join(db, key_no, &errors[i], &joined, fail);
        if (!err && !joined)
            err = error_insert(db, key_no, &errors[i], fail);
    }
    return err || !n ? err : errors_trim(db, key_no, fail);
}

enum err key_errors_list(
    struct db *db, int64_t key_no, struct arena *arena, struct usage_error_list *ret,
    struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT at, status, error, path, count FROM key_error WHERE key_no = $1"
        " ORDER BY at DESC, no DESC LIMIT $2",
        V(key_no), V(USAGE_ERRORS_KEPT));
    return list_read(
        &q, arena, ret, fail,
        (struct usage_error){
            .at = query_get_i64(&q, 0),
            .status = (int)query_get_i64(&q, 1),
            .error = query_text(&q, 2, arena),
            .path = query_text(&q, 3, arena),
            .count = query_get_i64(&q, 4),
        });
}

enum err key_usage_erase(const struct act *act, int64_t account_no)
{
    static const char *const statements[] = {
        "DELETE FROM key_day WHERE key_no IN (SELECT no FROM api_key WHERE account_no = $1)",
        "DELETE FROM key_error WHERE key_no IN (SELECT no FROM api_key WHERE account_no = $1)",
        "UPDATE api_key SET name = 'deleted', last_used_for = NULL WHERE account_no = $1",
    };
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        TRY(query_run(act->db, act->fail, statements[i], V(account_no)));
    return key_seal_all(act, account_no);
}
