/* Flush marks, stored among the counters; see flush_mark.h. */
#include "store/account/flush_mark.h"

enum err flush_mark_set(struct db *db, struct str server, int64_t no, struct fail *fail)
{
    return query_run(
        db, fail,
        "INSERT INTO counter (name, value) VALUES ('flush.' || CAST($1 AS TEXT), $2)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        V(server), V(no));
}

enum err flush_mark_get(struct db *db, struct str server, int64_t *ret, struct fail *fail)
{
    int64_t no = db_kind(db) == DB_SQLITE ? -1 : 0;
    TRY(query_number(
        db, &no, fail, "SELECT value FROM counter WHERE name = 'flush.' || CAST($1 AS TEXT)",
        V(server)));
    *ret = no;
    return OK;
}

enum err flush_mark_remove(struct db *db, struct str server, struct fail *fail)
{
    return query_run(
        db, fail, "DELETE FROM counter WHERE name = 'flush.' || CAST($1 AS TEXT)", V(server));
}
