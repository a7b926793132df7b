/* Running servers; see node.h. */
#include "store/row/node.h"

#include <assert.h>
#include <unistd.h>

#include "base/build.h"
#include "base/clock.h"
#include "base/instant.h"
#include "db/dialect.h"
#include "db/migrate.h"
#include "db/store.h"
#include "store/row/id.h"
#include "store/row/list.h"

enum { NODE_KEPT_MS = 24 * 60 * 60 * 1000, ROW_ID_SIZE = 2 * NODE_ID_SIZE + 1 };

struct str node_id_make(struct arena *arena)
{
    char id[NODE_ID_SIZE];
    id_make(STR(""), id);
    return arena_str(arena, str_of(id, sizeof id));
}

/* What the labels of all processes of this machine with that address begin with. */
static struct str label_start(struct str listen, struct arena *arena)
{
    char host[256] = "";
    bool named = gethostname(host, sizeof host - 1) == 0 && *host;
    return arena_fmt(
        arena, "%.*s%s%s, process ", STR_ARG(listen), named ? " on " : "", named ? host : "");
}

struct str node_label_make(struct str listen, struct arena *arena)
{
    return arena_fmt(arena, "%.*s%ld", STR_ARG(label_start(listen, arena)), (long)getpid());
}

bool node_label_is_here(struct str label, struct str listen, struct arena *arena)
{
    return str_starts(label, label_start(listen, arena));
}

/* A clock that all nodes of this database share, and the place of their rows. The nodes of an
 * SQLite file are on one machine. */
struct here {
    int64_t now;
    bool is_wall; /* the clock is the database's; otherwise it counts from the machine's start */
    char place[NODE_ID_SIZE];
};

static enum err look(struct db *db, struct here *ret, struct fail *fail)
{
    const char *sql = dialect_text(db_kind(db), DIALECT_NODE_CLOCK);
    *ret = (struct here){.now = clock_mono_ms(), .place = "this file"};
    if (!sql)
        return OK;
    QUERY(q, db, sql);
    if (query_row(&q)) {
        struct str place = query_get_str(&q, 1);
        ret->now = query_get_i64(&q, 0);
        ret->is_wall = true;
        memcpy(ret->place, place.p, place.n < sizeof ret->place ? place.n : sizeof ret->place);
    }
    return query_end(&q, fail);
}

/* The id of a row: the node's, and its place. */
static struct str row_id(struct str id, const struct here *here, char ret[static ROW_ID_SIZE])
{
    size_t n = strnlen(here->place, sizeof here->place);
    assert(id.n <= NODE_ID_SIZE);
    memcpy(ret, id.p, id.n);
    ret[id.n] = '@';
    memcpy(ret + id.n + 1, here->place, n);
    return str_of(ret, id.n + 1 + n);
}

/* Removes the rows of a label, or of all that begin with it, unless they are younger. */
static enum err remove_rows(
    struct db *db, struct str label, int64_t younger_ms, int64_t *ret, struct fail *fail)
{
    struct here here;
    TRY(look(db, &here, fail));
    QUERY(
        q, db,
        "DELETE FROM node WHERE substr(label, 1, length($1)) = $1"
        " AND beat_at NOT BETWEEN $2 AND $3"); /* 1 to 0: nothing is between */
    query_str(&q, label);
    query_i64(&q, younger_ms ? here.now - younger_ms : 1);
    query_i64(&q, younger_ms ? here.now + younger_ms : 0);
    return query_end_count(&q, ret, fail);
}

enum err node_enter(struct db *db, struct str id, struct str label, int64_t seq, struct fail *fail)
{
    const char *sql = dialect_text(db_kind(db), DIALECT_NODE_CLEAR);
    enum err err = sql ? db_exec(db, sql, fail) : OK;
    struct node_news news;
    int64_t removed;
    ptrdiff_t process = str_find(label, STR(", process "));
    bool own_port = str_find(label, STR(":0 on ")) < 0; /* no other can listen there */
    if (!err && process >= 0)
        err = remove_rows(
            db, str_slice(label, 0, (size_t)process + 1), own_port ? 0 : DB_NODE_GONE_MS, &removed,
            fail);
    return err ? err : node_beat(db, id, label, seq, &news, fail);
}

enum err node_forget(struct db *db, struct str label, bool *ret, struct fail *fail)
{
    int64_t removed = 0;
    enum err err = remove_rows(db, label, DB_NODE_GONE_MS, &removed, fail);
    *ret = removed > 0;
    return err;
}

enum err node_beat(
    struct db *db, struct str id, struct str label, int64_t seq, struct node_news *ret,
    struct fail *fail)
{
    *ret = (struct node_news){.clock_ms = INSTANT_NONE};
    struct here here;
    char row[ROW_ID_SIZE];
    TRY(look(db, &here, fail));
    if (here.is_wall)
        ret->clock_ms = here.now;
    int64_t usable_from = 0;
    TRY(query_number(
        db, &usable_from, fail,
        "INSERT INTO node (id, label, seq, beat_at, version, started_at, program_schema)"
        " VALUES ($1, $2, $3, $4, $5, $4, $6) ON CONFLICT (id) DO"
        " UPDATE SET label = excluded.label, seq = excluded.seq, beat_at = excluded.beat_at"
        " RETURNING (SELECT max(coalesce(usable_from, number)) FROM migration)",
        V(row_id(id, &here, row)), V(label), V(seq), V(here.now), V(build.version),
        V(migrate_latest())));
    enum err err = migrate_check_program(db, usable_from, fail);
    ret->outdated = err != OK;
    return err;
}

enum err node_remove(struct db *db, struct str id, struct fail *fail)
{
    return query_run(db, fail, "DELETE FROM node WHERE id LIKE $1 || '@%'", V(id));
}

enum err node_is_running(struct db *db, struct str id, bool *ret, struct fail *fail)
{
    struct here here;
    char row[ROW_ID_SIZE];
    TRY(look(db, &here, fail));
    return query_any(
        db, ret, fail, "SELECT 1 FROM node WHERE id = $1 AND beat_at BETWEEN $2 AND $3",
        V(row_id(id, &here, row)), V(here.now - DB_NODE_GONE_MS), V(here.now + DB_NODE_GONE_MS));
}

enum err node_slowest(
    struct db *db, struct arena *arena, int64_t *ret_count, int64_t *ret_seq, struct str *ret_label,
    struct fail *fail)
{
    struct here here;
    *ret_count = 0;
    *ret_seq = INT64_MAX;
    *ret_label = STR_NULL;
    if (!store_has_server(db))
        return OK;
    TRY(look(db, &here, fail));
    /* A heartbeat ahead of the clock was written before the machine's last start. */
    QUERY(
        q, db,
        "SELECT seq, label FROM node WHERE beat_at BETWEEN $1 AND $2 AND id LIKE '%@' || $3"
        " ORDER BY seq, label",
        V(here.now - DB_NODE_GONE_MS), V(here.now + DB_NODE_GONE_MS),
        V(str_of(here.place, strnlen(here.place, sizeof here.place))));
    while (query_row(&q)) {
        if ((*ret_count)++ == 0) {
            *ret_seq = query_get_i64(&q, 0);
            *ret_label = query_text(&q, 1, arena);
        }
    }
    return query_end(&q, fail);
}

/* On SQLite a row counts only while a server holds the lock. A heartbeat ahead of the clock is from
 * before the machine's last start. */
static struct node read_node(
    const struct query *q, const struct here *here, bool has_server, int64_t last_seq,
    struct arena *arena)
{
    int64_t seq = query_get_i64(q, 2), started_at = query_get_opt_i64(q, 4, -1);
    int64_t silent_ms = here->now - query_get_i64(q, 3);
    return (struct node){
        .label = query_text(q, 0, arena),
        .version = query_text(q, 1, arena),
        .seq = seq,
        .behind = last_seq > seq ? last_seq - seq : 0,
        .silent_ms = silent_ms > 0 ? silent_ms : 0,
        .up_ms = started_at < 0 || started_at > here->now ? -1 : here->now - started_at,
        .running = has_server && silent_ms >= -DB_NODE_GONE_MS && silent_ms <= DB_NODE_GONE_MS,
    };
}

enum err node_list(
    struct db *db, int64_t last_seq, struct arena *arena, struct node_list *ret, struct fail *fail)
{
    struct here here;
    bool has_server = store_has_server(db);
    TRY(look(db, &here, fail));
    QUERY(
        q, db,
        "SELECT label, version, seq, beat_at, started_at FROM node WHERE id LIKE '%@' || $3"
        " ORDER BY CASE WHEN beat_at BETWEEN $1 AND $2 THEN 0 ELSE 1 END, seq, label",
        V(here.now - DB_NODE_GONE_MS), V(here.now + DB_NODE_GONE_MS),
        V(str_of(here.place, strnlen(here.place, sizeof here.place))));
    return list_read(&q, arena, ret, fail, read_node(&q, &here, has_server, last_seq, arena));
}

enum err node_prune(struct db *db, struct fail *fail)
{
    struct here here;
    TRY(look(db, &here, fail));
    return query_run(
        db, fail, "DELETE FROM node WHERE beat_at NOT BETWEEN $1 AND $2",
        V(here.now - NODE_KEPT_MS), V(here.now + DB_NODE_GONE_MS));
}
