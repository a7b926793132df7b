/* How the database is; see vitals.h. */
#include "store/run/vitals.h"

#include "base/instant.h"
#include "db/dialect.h"

enum { COMMIT_SLOW_MS = 5000 };

enum err vitals_read(struct db *db, struct vitals *ret, struct fail *fail)
{
    const char *sql = dialect_text(db_kind(db), DIALECT_VITALS);
    *ret = (struct vitals){.clock_ms = INSTANT_NONE, .sessions_left = -1};
    if (!sql)
        return OK;
    QUERY(q, db, sql);
    if (query_row(&q)) {
        ret->standby = query_get_i64(&q, 0);
        ret->clock_ms = query_get_i64(&q, 1);
        ret->sessions_left = query_get_i64(&q, 2);
    }
    return query_end(&q, fail);
}

enum err vitals_ask(struct db *db, struct fail *fail)
{
    QUERY(q, db, "SELECT count(*) FROM meta");
    query_row(&q);
    return query_end(&q, fail);
}

enum err vitals_try_write(struct db *db, struct fail *fail)
{
    TRY(db_begin(db, fail));
    enum err err = query_run(db, fail, "UPDATE meta SET value = value WHERE name = ''");
    db_rollback(db);
    return err;
}

enum err vitals_commit_wait(struct db *db, int64_t *ret, struct fail *fail)
{
    const char *sql = dialect_text(db_kind(db), DIALECT_COMMIT_WAIT);
    *ret = -1;
    if (!sql)
        return OK;
    QUERY(q, db, sql);
    if (query_row(&q)) {
        int64_t waits = query_is_null(&q, 0) ? 0 : query_get_i64(&q, 0);
        bool alone = query_get_i64(&q, 1);
        if (alone || waits >= COMMIT_SLOW_MS)
            *ret = waits;
    }
    return query_end(&q, fail);
}
