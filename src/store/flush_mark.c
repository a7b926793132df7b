/* Flush marks, stored among the counters; see flush_mark.h. */
#include "store/flush_mark.h"

enum err flush_mark_set(struct db *db, struct str server, int64_t no, struct fail *fail)
{
    struct query q;
    query_start(
        &q, db,
        "INSERT INTO counter (name, value) VALUES ('flush.' || CAST($1 AS TEXT), $2)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value");
    query_str(&q, server);
    query_i64(&q, no);
    return query_end(&q, fail);
}

enum err flush_mark_get(struct db *db, struct str server, int64_t *ret, struct fail *fail)
{
    struct query q;
    int64_t no = db_kind(db) == DB_SQLITE ? -1 : 0;
    query_start(&q, db, "SELECT value FROM counter WHERE name = 'flush.' || CAST($1 AS TEXT)");
    query_str(&q, server);
    if (query_row(&q))
        no = query_get_i64(&q, 0);
    enum err err = query_end(&q, fail);
    if (!err)
        *ret = no;
    return err;
}

enum err flush_mark_remove(struct db *db, struct str server, struct fail *fail)
{
    struct query q;
    query_start(&q, db, "DELETE FROM counter WHERE name = 'flush.' || CAST($1 AS TEXT)");
    query_str(&q, server);
    return query_end(&q, fail);
}
