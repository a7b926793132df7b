/* Flushes and their marks, which are stored among the counters; see flush.h. */
#include "store/account/flush.h"

#include "base/codec.h"
#include "base/crypto.h"
#include "base/thread.h"

void flush_init(struct flush *flush, const struct flush_kind *kind, void *owner)
{
    uint8_t bytes[FLUSH_SERVER_SIZE / 2];
    *flush = (struct flush){.kind = kind, .owner = owner};
    pthread_mutex_init(&flush->lock, NULL);
    random_bytes(bytes, sizeof bytes);
    hex_encode(bytes, sizeof bytes, flush->server);
}

void flush_finish(struct flush *flush)
{
    pthread_mutex_destroy(&flush->lock);
}

static struct str server_of(const struct flush *flush)
{
    return str_of(flush->server, FLUSH_SERVER_SIZE);
}

enum err flush_mark(struct flush *flush, struct db *db, struct fail *fail)
{
    if (db_kind(db) != DB_POSTGRESQL)
        return OK;
    return query_run(
        db, fail,
        "INSERT INTO counter (name, value) VALUES ('flush.' || CAST($1 AS TEXT), $2)"
        " ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        V(server_of(flush)), V(++flush->no));
}

enum err flush_remove_mark(const struct flush *flush, struct db *db, struct fail *fail)
{
    return query_run(
        db, fail, "DELETE FROM counter WHERE name = 'flush.' || CAST($1 AS TEXT)",
        V(server_of(flush)));
}

static void settle(struct flush *flush, enum err err)
{
    flush->kind->settle(flush->owner, err);
    flush->pending = flush->in_doubt = false;
}

/* A lost connection leaves the result in doubt until the database can be asked. */
static void commit_ended(struct flush *flush, enum err err)
{
    flush->in_doubt = err == ERR_UNAVAILABLE || err == ERR_TIMEOUT;
    if (!flush->in_doubt)
        settle(flush, err);
    flush->pending = false;
}

static enum err settle_doubt(struct flush *flush, struct db *db, struct fail *fail)
{
    int64_t no = db_kind(db) == DB_SQLITE ? -1 : 0;
    TRY(query_number(
        db, &no, fail, "SELECT value FROM counter WHERE name = 'flush.' || CAST($1 AS TEXT)",
        V(server_of(flush))));
    settle(flush, no == flush->no ? OK : ERR_UNAVAILABLE);
    return OK;
}

static enum err write_once(struct flush *flush, const void *now, struct db *db, struct fail *fail)
{
    bool any = true;
    if (flush->in_doubt)
        TRY(settle_doubt(flush, db, fail));
    enum err err = flush->kind->write(flush->owner, now, db, &any, fail);
    if (err)
        settle(flush, err);
    flush->pending = !err && any;
    return err;
}

static enum err run_own(struct flush *flush, const void *now, struct db *db, struct fail *fail)
{
    enum err err = db_begin(db, fail);
    if (!err)
        err = write_once(flush, now, db, fail);
    if (err) {
        db_rollback(db);
        return err;
    }
    err = db_commit(db, fail);
    if (flush->pending)
        commit_ended(flush, err);
    return err;
}

enum err flush_run(struct flush *flush, const void *now, struct db *db, struct fail *fail)
{
    enum err err = OK;
    LOCKED(&flush->lock);
    if (flush->pending)
        settle(flush, OK); /* the caller did not report the end of its transaction */
    bool may_be_idle = !flush->in_doubt && flush->kind->is_idle;
    if (!may_be_idle || !flush->kind->is_idle(flush->owner, now))
        err = (db_in_transaction(db) ? write_once : run_own)(flush, now, db, fail);
    return err;
}

void flush_done(struct flush *flush, enum err err)
{
    LOCKED(&flush->lock);
    if (flush->pending)
        commit_ended(flush, err);
}
