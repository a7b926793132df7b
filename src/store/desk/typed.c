/* Forms that are not saved; see typed.h. */
#include "store/desk/typed.h"

#include "store/row/list.h"

/* The oldest places of an account above its limit. */
static enum err make_room(struct db *db, int64_t account_no, struct fail *fail)
{
    return query_run(
        db, fail,
        "DELETE FROM typed WHERE account_no = $1 AND place IN (SELECT place FROM typed"
        " WHERE account_no = $1 ORDER BY typed_at DESC, place LIMIT 1000 OFFSET $2)",
        V(account_no), V(TYPED_MAX));
}

enum err typed_put(
    struct db *db, int64_t account_no, struct str place, struct str body, int64_t now_ms,
    struct fail *fail)
{
    TRY(query_run(
        db, fail,
        "INSERT INTO typed (account_no, place, body, typed_at) VALUES ($1, $2, $3, $4)"
        " ON CONFLICT (account_no, place) DO UPDATE SET body = excluded.body,"
        " typed_at = excluded.typed_at",
        V(account_no), V(place), V(body), V(now_ms)));
    return make_room(db, account_no, fail);
}

enum err typed_find(
    struct db *db, int64_t account_no, struct str place, struct arena *arena, struct typed *ret,
    struct fail *fail)
{
    QUERY(
        q, db, "SELECT body, typed_at FROM typed WHERE account_no = $1 AND place = $2",
        V(account_no), V(place));
    if (query_row(&q))
        *ret = (struct typed){query_text(&q, 0, arena), query_get_i64(&q, 1)};
    return query_end_or(&q, ERR_NOT_FOUND, fail, "nothing was typed there");
}

enum err typed_list(
    struct db *db, int64_t account_no, struct str path, struct arena *arena,
    struct typed_places *ret, struct fail *fail)
{
    QUERY(
        q, db,
        "SELECT place FROM typed WHERE account_no = $1"
        " AND (place = $2 OR (place > $2 || '/' AND place < $2 || '0')) ORDER BY place",
        V(account_no), V(path));
    return list_read(&q, arena, ret, fail, query_text(&q, 0, arena));
}

enum err typed_drop(struct db *db, int64_t account_no, struct str place, struct fail *fail)
{
    return query_run(
        db, fail, "DELETE FROM typed WHERE account_no = $1 AND place = $2", V(account_no),
        V(place));
}

enum err typed_drop_all(struct db *db, int64_t account_no, struct fail *fail)
{
    return query_run(db, fail, "DELETE FROM typed WHERE account_no = $1", V(account_no));
}

enum err typed_prune(
    struct db *db, int64_t now_ms, int64_t limit, int64_t *ret_count, struct fail *fail)
{
    QUERY(
        q, db,
        "DELETE FROM typed WHERE (account_no, place) IN (SELECT account_no, place FROM typed"
        " WHERE typed_at < $1 ORDER BY typed_at LIMIT $2)",
        V(now_ms - TYPED_KEPT_MS), V(limit));
    return query_end_count(&q, ret_count, fail);
}
