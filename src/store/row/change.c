/* Change notices; see change.h. */
#include "store/row/change.h"

#include <poll.h>

#include "base/clock.h"
#include "db/db_driver.h"
#include "db/dialect.h"
#include "store/row/list.h"
#include "store/row/node.h"

enum {
    POLL_SQLITE_MS = 50, /* the longest delay before a commit by another process is noticed */
    POLL_NODES_MS = 10,
};

enum err change_add(
    struct db *db, struct str noun, struct str key, int64_t *ret_seq, struct fail *fail)
{
    int64_t seq = 0;
    TRY(query_number(
        db, &seq, fail,
        "UPDATE counter SET value = value + 1 WHERE name = 'change' RETURNING value"));
    enum err err = query_run(
        db, fail, "INSERT INTO change (seq, noun, key) VALUES ($1, $2, $3)", V(seq), V(noun),
        V(key));
    const char *notify = dialect_text(db_kind(db), DIALECT_NOTIFY);
    if (!err && notify)
        err = db_exec(db, notify, fail);
    if (!err && ret_seq)
        *ret_seq = seq;
    return err;
}

enum err change_last(struct db *db, int64_t *ret, struct fail *fail)
{
    return query_number(db, ret, fail, "SELECT value FROM counter WHERE name = 'change'");
}

/* One notice, copied because the visit may use the connection. */
struct notice {
    int64_t seq;
    struct str noun;
    struct str key;
};

enum err change_read(
    struct db *db, int64_t after, change_visit *visit, void *ctx, int64_t *ret_last,
    struct fail *fail)
{
    int64_t newest = 0; /* read first: a commit in the meantime must not look like a gap */
    TRY(change_last(db, &newest, fail));
    ARENA_SCOPED(arena);
    struct list list;
    list_init(&list, sizeof(struct notice));
    QUERY(q, db, "SELECT seq, noun, key FROM change WHERE seq > $1 ORDER BY seq", V(after));
    while (query_row(&q)) {
        struct notice *n = list_add(&list);
        n->seq = query_get_i64(&q, 0);
        n->noun = query_text(&q, 1, &arena);
        n->key = query_text(&q, 2, &arena);
    }
    enum err err = query_end(&q, fail);
    size_t count = list.count;
    const struct notice *notices = list_keep(&list, &arena);
    /* Numbers have no gaps except where the oldest were pruned. They go back only when the database
     * does: a backup was restored, or a lagging standby was promoted. */
    if (!err && (newest < after || (count ? notices[0].seq != after + 1 : newest > after)))
        err = fail_set(fail, ERR_CORRUPT, "change notices after %lld are gone", (long long)after);
    for (size_t i = 0; !err && i < count; i++)
        visit(ctx, notices[i].seq, notices[i].noun, notices[i].key);
    if (!err)
        *ret_last = count ? notices[count - 1].seq : after;
    return err;
}

enum err change_prune(struct db *db, int64_t keep, struct fail *fail)
{
    return query_run(
        db, fail,
        "DELETE FROM change WHERE seq <="
        " (SELECT value FROM counter WHERE name = 'change') - CAST($1 AS BIGINT)",
        V(keep));
}

/* Waiting for other processes */

static enum err data_version(struct db *db, int64_t *ret, struct fail *fail)
{
    return query_number(db, ret, fail, "PRAGMA data_version");
}

static void wait_for(int fd, int wake_fd, int64_t ms)
{
    struct pollfd fds[] = {{.fd = fd, .events = POLLIN}, {.fd = wake_fd, .events = POLLIN}};
    /* A signal ends the wait early, which is the same as a wake-up: the caller looks again. */
    poll(fds, 2, ms > 0 ? (int)ms : 0);
}

static bool is_ready(int fd)
{
    struct pollfd p = {.fd = fd, .events = POLLIN};
    return fd >= 0 && poll(&p, 1, 0) > 0;
}

/* PRAGMA data_version changes after a commit by another connection. */
static enum err wait_sqlite(struct db *db, int wake_fd, int64_t deadline, struct fail *fail)
{
    for (;;) {
        int64_t version = 0;
        enum err err = data_version(db, &version, fail);
        if (err || version != db->data_version) {
            db->data_version = version;
            return err;
        }
        int64_t left = deadline - clock_mono_ms();
        if (left <= 0 || is_ready(wake_fd))
            return OK;
        wait_for(-1, wake_fd, left < POLL_SQLITE_MS ? left : POLL_SQLITE_MS);
    }
}

static enum err wait_postgresql(struct db *db, int wake_fd, int64_t deadline, struct fail *fail)
{
    /* Each time, because the connection may be new. */
    enum err err = db_exec(db, dialect_text(db_kind(db), DIALECT_LISTEN), fail);
    /* A commit between the last read and the first LISTEN of a connection notified nobody here. */
    bool missed = !err && db->listening != db_postgresql_generation(db);
    if (missed)
        db->listening = db_postgresql_generation(db);
    while (!err && !missed) {
        int64_t left = deadline - clock_mono_ms();
        if (db_postgresql_notified(db) || left <= 0 || is_ready(wake_fd))
            break;
        wait_for(db_postgresql_socket(db), wake_fd, left);
    }
    return err;
}

enum err change_wait(struct db *db, int wake_fd, int timeout_ms, struct fail *fail)
{
    int64_t deadline = clock_mono_ms() + timeout_ms;
    return db_kind(db) == DB_SQLITE ? wait_sqlite(db, wake_fd, deadline, fail)
                                    : wait_postgresql(db, wake_fd, deadline, fail);
}

enum err change_wait_nodes(struct db *db, int64_t seq, int timeout_ms, struct fail *fail)
{
    ARENA_SCOPED(arena);
    int64_t deadline = clock_mono_ms() + timeout_ms;
    enum err err = OK;
    for (;;) {
        int64_t count = 0, slowest = INT64_MAX;
        struct str label = STR_NULL;
        arena_reset(&arena);
        err = node_slowest(db, &arena, &count, &slowest, &label, fail);
        if (err || slowest >= seq)
            break;
        int64_t left = deadline - clock_mono_ms();
        if (left <= 0) {
            err = fail_set(
                fail, ERR_TIMEOUT,
                "the change is stored, but the server %.*s has not applied it yet; it will when it "
                "responds again",
                STR_ARG(label));
            break;
        }
        wait_for(-1, -1, left < POLL_NODES_MS ? left : POLL_NODES_MS);
    }
    return err;
}
