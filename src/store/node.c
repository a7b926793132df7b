/* Running servers; see node.h. */
#include "store/node.h"

#include "base/clock.h"
#include "store/db/dialect.h"
#include "store/id.h"

enum { NODE_KEPT_MS = 24 * 60 * 60 * 1000 };

void node_id_make(char ret[static NODE_ID_SIZE])
{
    id_make(STR(""), ret);
}

/* A clock that all nodes of this database share. The nodes of an SQLite file are on one machine. */
static enum err node_clock(struct db *db, int64_t *ret, struct fail *fail)
{
    const char *sql = dialect_text(db_kind(db), DIALECT_NODE_CLOCK);
    *ret = clock_mono_ms();
    if (!sql)
        return OK;
    struct query q;
    query_start(&q, db, sql);
    if (query_row(&q))
        *ret = query_get_i64(&q, 0);
    return query_end(&q, fail);
}

enum err node_beat(struct db *db, struct str id, struct str label, int64_t seq, struct fail *fail)
{
    int64_t now = 0;
    enum err err = node_clock(db, &now, fail);
    if (err)
        return err;
    struct query q;
    query_start(
        &q, db,
        "INSERT INTO node (id, label, seq, beat_at) VALUES ($1, $2, $3, $4) ON CONFLICT (id) DO"
        " UPDATE SET label = excluded.label, seq = excluded.seq, beat_at = excluded.beat_at");
    query_str(&q, id);
    query_str(&q, label);
    query_i64(&q, seq);
    query_i64(&q, now);
    return query_end(&q, fail);
}

enum err node_remove(struct db *db, struct str id, struct fail *fail)
{
    struct query q;
    query_start(&q, db, "DELETE FROM node WHERE id = $1");
    query_str(&q, id);
    return query_end(&q, fail);
}

enum err node_slowest(
    struct db *db, struct arena *arena, int64_t *ret_count, int64_t *ret_seq, struct str *ret_label,
    struct fail *fail)
{
    int64_t now = 0;
    enum err err = node_clock(db, &now, fail);
    if (err)
        return err;
    *ret_count = 0;
    *ret_seq = INT64_MAX;
    *ret_label = STR_NULL;
    struct query q;
    /* A heartbeat ahead of the clock was written before the machine's last start. */
    query_start(
        &q, db, "SELECT seq, label FROM node WHERE beat_at BETWEEN $1 AND $2 ORDER BY seq, label");
    query_i64(&q, now - NODE_GONE_MS);
    query_i64(&q, now + NODE_GONE_MS);
    while (query_row(&q)) {
        if ((*ret_count)++ == 0) {
            *ret_seq = query_get_i64(&q, 0);
            *ret_label = arena_str(arena, query_get_str(&q, 1));
        }
    }
    return query_end(&q, fail);
}

enum err node_prune(struct db *db, struct fail *fail)
{
    int64_t now = 0;
    enum err err = node_clock(db, &now, fail);
    if (err)
        return err;
    struct query q;
    query_start(&q, db, "DELETE FROM node WHERE beat_at NOT BETWEEN $1 AND $2");
    query_i64(&q, now - NODE_KEPT_MS);
    query_i64(&q, now + NODE_GONE_MS);
    return query_end(&q, fail);
}
