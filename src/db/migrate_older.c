/* Older programs beside a newer schema; see migrate_older.h. */
#include "db/migrate_older.h"

#include "base/mem.h"
#include "db/dialect.h"

int migrate_usable_from(struct str text, int number)
{
    static const struct str words = STR_INIT("usable from ");
    ptrdiff_t at = str_find(text, words);
    if (at < 0)
        return number;
    int ret = 0;
    for (size_t i = (size_t)at + words.n; i < text.n && text.p[i] >= '0' && text.p[i] <= '9'; i++)
        ret = 10 * ret + (text.p[i] - '0');
    return ret;
}

/* Heartbeats in this database by the clock that all nodes share. A row of a restored backup is not
 * of this place. */
static enum err look(
    struct db *db, struct arena *arena, int64_t *ret_now, struct str *ret_place, struct fail *fail)
{
    struct query q;
    *ret_now = 0;
    *ret_place = STR_NULL;
    query_start(&q, db, dialect_text(db_kind(db), DIALECT_NODE_CLOCK));
    if (query_row(&q)) {
        *ret_now = query_get_i64(&q, 0);
        *ret_place = arena_str(arena, query_get_str(&q, 1));
    }
    return query_end(&q, fail);
}

enum err migrate_check_servers(struct db *db, int usable_from, struct fail *fail)
{
    const char *sql = dialect_text(db_kind(db), DIALECT_NODE_OLDER);
    ARENA_SCOPED(arena);
    struct query q;
    struct str place, label = STR_NULL;
    int64_t now, count = 0;
    if (!sql)
        return OK;
    enum err err = look(db, &arena, &now, &place, fail);
    if (err)
        return err;
    query_with(
        &q, db, sql, V(now - DB_NODE_GONE_MS), V(now + DB_NODE_GONE_MS), V(place), V(usable_from));
    while (query_row(&q))
        if (count++ == 0)
            label = arena_str(&arena, query_get_str(&q, 0));
    err = query_end(&q, fail);
    if (!err && count)
        err = fail_set(
            fail, ERR_REFUSED,
            "%.*s: %lld running server%s could not use the database after this upgrade (%.*s%s): "
            "stop "
            "%s first",
            STR_ARG(db_name(db)), (long long)count, count == 1 ? "" : "s", STR_ARG(label),
            count == 1 ? "" : ", ...", count == 1 ? "it" : "them");
    return err;
}
