/* Steps beside writers; see migrate_online.h. */
#include "db/migrate_online.h"

#include <assert.h>
#include <unistd.h>

#include "base/clock.h"

enum {
    POLL_US = 50000,
    WAIT_MAX_MS = 120000, /* for another process, which may hang */
};

#define LOCK "1400127844"
#define LIMITS(statement_ms, lock_ms)                                                              \
    "SET statement_timeout = " #statement_ms "; SET lock_timeout = " #lock_ms

static_assert(
    DB_STATEMENT_TIMEOUT_MS == 600000 && DB_BUSY_TIMEOUT_MS == 5000, "migrate_online_leave");

bool migrate_is_online(const struct db *db, struct str text)
{
    return db_kind(db) == DB_POSTGRESQL && str_find(text, STR("{online}")) >= 0;
}

/* In short statements: an index made beside writers waits for the end of every open one, also of
 * one that waits for the same lock. */
enum err migrate_online_enter(struct db *db, struct fail *fail)
{
    int64_t until_ms = clock_mono_ms() + WAIT_MAX_MS;
    for (;;) {
        struct query q;
        bool locked = false;
        query_start(&q, db, "SELECT CASE WHEN pg_try_advisory_lock(" LOCK ") THEN 1 ELSE 0 END");
        if (query_row(&q))
            locked = query_get_i64(&q, 0) != 0;
        enum err err = query_end(&q, fail);
        if (err)
            return err;
        if (locked)
            return db_exec(db, LIMITS(0, 0), fail);
        if (clock_mono_ms() >= until_ms)
            return fail_set(
                fail, ERR_BUSY, "%.*s: another process has been migrating this database for %d s",
                STR_ARG(db_name(db)), WAIT_MAX_MS / 1000);
        usleep(POLL_US);
    }
}

enum err migrate_online_leave(struct db *db, enum err err, struct fail *fail)
{
    struct fail unused;
    struct query q;
    enum err limits_err = db_exec(db, LIMITS(600000, 5000), err ? &unused : fail);
    query_start(&q, db, "SELECT CASE WHEN pg_advisory_unlock(" LOCK ") THEN 1 ELSE 0 END");
    query_row(&q);
    enum err leave_err = query_end(&q, err || limits_err ? &unused : fail);
    return err ? err : limits_err ? limits_err : leave_err;
}
