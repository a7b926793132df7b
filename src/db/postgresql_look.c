/* One connection to each host; see db_hosts.h. */
#include "db/db_hosts.h"

#include <string.h>

#include <libpq-fe.h>

#include "base/mem.h"
#include "db/postgresql_wait.h"

enum { SETTINGS_MAX = 64, ONE_MS = 2000 /* libpq waits for no less */ };

/* The settings of one connection, as libpq takes them. */
struct look_settings {
    const char *keywords[SETTINGS_MAX + 1], *values[SETTINGS_MAX + 1];
    size_t count;
};

static void add(struct look_settings *to, const char *keyword, const char *value)
{
    if (to->count == SETTINGS_MAX)
        return;
    to->keywords[to->count] = keyword;
    to->values[to->count++] = value;
}

static struct str value_of(const PQconninfoOption *options, const char *keyword)
{
    for (const PQconninfoOption *o = options; o->keyword; o++)
        if (strcmp(o->keyword, keyword) == 0)
            return o->val ? str_from(o->val) : STR_NULL;
    return STR_NULL;
}

static size_t count_of(struct str list)
{
    struct str part;
    size_t n = 0;
    while (str_split(&list, ',', &part))
        n++;
    return n;
}

/* One element of a list of libpq; one port may be that of all hosts. */
static struct str element(struct str list, size_t at, struct arena *arena)
{
    struct str part = STR_NULL, rest = list;
    size_t count = count_of(list);
    for (size_t i = 0; i <= at && i < count; i++)
        str_split(&rest, ',', &part);
    return arena_str(arena, part);
}

static PGconn *connect_to(
    const PQconninfoOption *options, size_t at, int time_max_ms, struct arena *arena)
{
    static const char *const lists[] = {"host", "hostaddr", "port"};
    struct look_settings s = {.count = 0};
    for (const PQconninfoOption *o = options; o->keyword; o++)
        if (o->val)
            add(&s, o->keyword, o->val);
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct str one = element(value_of(options, lists[i]), at, arena);
        if (one.n)
            add(&s, lists[i], one.p); /* the last of two settings with one name counts */
    }
    add(&s, "target_session_attrs", "any");
    add(&s, "connect_timeout", arena_fmt(arena, "%d", time_max_ms / 1000).p);
    PGconn *connection = PQconnectdbParams(s.keywords, s.values, 0);
    if (!connection)
        no_memory(0);
    return connection;
}

/* libpq's first line, without what it says about the place. */
static struct str reason_of(const PGconn *connection, struct arena *arena)
{
    static const struct str place = STR_INIT(" failed: ");
    struct str line, text = str_from(PQerrorMessage(connection));
    str_split(&text, '\n', &line);
    ptrdiff_t at = str_find(line, place);
    return arena_str(arena, at < 0 ? line : str_slice(line, (size_t)at + place.n, line.n));
}

static void ask(PGconn **connection, int time_max_ms, struct arena *arena, struct db_host *ret)
{
    static const char sql[] =
        "SELECT CAST(pg_is_in_recovery() AS INT), CAST(pg_wal_lsn_diff(CASE"
        " WHEN pg_is_in_recovery() THEN coalesce(pg_last_wal_receive_lsn(),"
        " pg_last_wal_replay_lsn()) ELSE pg_current_wal_lsn() END, '0/0') AS BIGINT)";
    int64_t standby = 0;
    ret->err = ERR_UNAVAILABLE;
    ret->reason = STR("it does not answer");
    if (!PQsendQuery(*connection, sql))
        return;
    for (PGresult *r; (r = postgresql_next_result(connection, time_max_ms)); PQclear(r)) {
        if (PQresultStatus(r) == PGRES_TUPLES_OK && PQntuples(r) == 1 &&
            str_to_i64(str_from(PQgetvalue(r, 0, 0)), &standby) &&
            str_to_i64(str_from(PQgetvalue(r, 0, 1)), &ret->position))
            ret->err = OK;
        else
            ret->reason = arena_str(arena, str_trim(str_from(PQresultErrorMessage(r))));
    }
    ret->standby = standby;
}

static void look_at(
    const PQconninfoOption *options, size_t at, int time_max_ms, struct arena *arena,
    struct db_host *ret)
{
    *ret = (struct db_host){
        .host = element(value_of(options, "host"), at, arena),
        .port = element(value_of(options, "port"), at, arena)};
    if (!ret->host.n)
        ret->host = element(value_of(options, "hostaddr"), at, arena);
    if (!ret->port.n)
        ret->port = STR("5432");
    PGconn *connection = connect_to(options, at, time_max_ms, arena);
    if (PQstatus(connection) == CONNECTION_OK) {
        ask(&connection, time_max_ms, arena, ret);
    } else {
        ret->err = ERR_UNAVAILABLE;
        ret->reason = reason_of(connection, arena);
    }
    PQfinish(connection);
}

void db_hosts_look(
    struct str url, int time_max_ms, struct arena *arena, struct db_host **ret, size_t *ret_count)
{
    *ret = NULL;
    *ret_count = 0;
    char *text = mem_strdup(url);
    PQconninfoOption *options = PQconninfoParse(text, NULL);
    mem_wipe(text, url.n);
    mem_free(text);
    if (!options)
        return;
    struct str list = value_of(options, "hostaddr");
    size_t count = count_of(list.n ? list : value_of(options, "host"));
    if (count > 1) {
        *ret = ARENA_ARRAY(arena, struct db_host, count);
        *ret_count = count;
    }
    int each_ms = count > 1 ? time_max_ms / (int)count : 0;
    for (size_t i = 0; i < *ret_count; i++)
        look_at(options, i, each_ms < ONE_MS ? ONE_MS : each_ms, arena, &(*ret)[i]);
    PQconninfoFree(options);
}
