/*
 * The PostgreSQL driver. Texts and integers travel in binary where every type has the same form.
 * Rows arrive one at a time (single-row mode), so that millions of rows need no memory here.
 *
 * The driver waits by itself: it polls the socket, and a server that is silent for DB_SILENCE_MS
 * counts as lost. It reconnects before the next statement, unless a transaction was open. An
 * address may hold a password, so addresses are never printed; names for messages come from libpq.
 */

#include <assert.h>
#include <endian.h>
#include <errno.h>
#include <libpq-fe.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "db/db.h"
#include "db/db_driver.h"
#include "db/postgresql_hosts.h"
#include "db/postgresql_wait.h"

/*
 * Refuses a connection pooler that gives each transaction another session, such as PgBouncer with
 * `pool_mode = transaction` or `statement`. The driver keeps state in its session: settings,
 * prepared statements and LISTEN. A pooler in session mode works.
 */

enum { TURNS = 4 };

/* The session that executes a statement of the connection now; 0: it does not answer. */
static int64_t session_of(PGconn **connection)
{
    int64_t number = 0;
    if (!PQsendQuery(*connection, "SELECT pg_backend_pid()"))
        return 0;
    for (PGresult *r; (r = postgresql_next_result(connection, DB_SILENCE_MS)); PQclear(r))
        if (PQresultStatus(r) == PGRES_TUPLES_OK && PQntuples(r) == 1)
            str_to_i64(str_from(PQgetvalue(r, 0, 0)), &number);
    return number;
}

/* The first line of libpq's message has the reason, such as that the password is wrong by now. */
static enum err refuse_second(const PGconn *second, struct str name, struct fail *fail)
{
    struct str line, text = str_from(PQerrorMessage(second));
    str_split(&text, '\n', &line);
    return fail_set(
        fail, ERR_UNAVAILABLE, "%.*s: no second connection, to check for a connection pooler: %.*s",
        STR_ARG(name), STR_ARG(line));
}

/* `mine` is the session of `first`. */
static enum err compare(
    PGconn **first, PGconn **second, int64_t mine, bool *ret_shared, struct str name,
    struct fail *fail)
{
    *ret_shared = false;
    for (int i = 0; i < TURNS && !*ret_shared; i++) {
        int64_t other = session_of(second);
        int64_t again = other ? session_of(first) : 0;
        if (!other || !again)
            return fail_set(
                fail, ERR_UNAVAILABLE,
                "%.*s: the connection pooler has no second session: raise its pool size",
                STR_ARG(name));
        *ret_shared = other == mine || again != mine;
    }
    return OK;
}

/* `keywords` and `values` are those of the connection, as for PQconnectdbParams. Through a pooler
 * it briefly opens a second connection. ERR_REFUSED: sessions are shared. ERR_UNAVAILABLE: a
 * connection was lost or could not be opened, or the pooler has no second session; *connection may
 * be NULL then. */
static enum err postgresql_pooler_check(
    PGconn **connection, const char *const *keywords, const char **values, struct str name,
    struct fail *fail)
{
    int64_t told = PQbackendPID(*connection), mine = session_of(connection);
    if (!mine)
        return fail_set(fail, ERR_UNAVAILABLE, "%.*s: the connection was lost", STR_ARG(name));
    if (mine == told)
        return OK;
    bool shared;
    PGconn *second = postgresql_connect(keywords, values);
    enum err err = PQstatus(second) == CONNECTION_OK
                       ? compare(connection, &second, mine, &shared, name, fail)
                       : refuse_second(second, name, fail);
    PQfinish(second);
    if (err)
        return err;
    if (shared)
        return fail_set(
            fail, ERR_REFUSED,
            "%.*s: a connection pooler gives each transaction another session: set pool_mode = "
            "session in PgBouncer, or connect to PostgreSQL without it",
            STR_ARG(name));
    return OK;
}

struct pg_result;

/* A table of SQLSTATE codes and classes. */

struct state_kind {
    const char *prefix; /* of the SQLSTATE */
    enum err err;
};

/* The first matching prefix decides. */
static const struct state_kind state_kinds[] = {
    {"23505", ERR_EXISTS},  {"23", ERR_REFUSED},        {"P0001", ERR_REFUSED},
    {"25006", ERR_REFUSED}, {"25P03", ERR_UNAVAILABLE}, {"42501", ERR_REFUSED},
    {"28", ERR_REFUSED},    {"3D000", ERR_NOT_FOUND},   {"40", ERR_BUSY},
    {"55P03", ERR_BUSY},    {"53100", ERR_FULL},        {"53", ERR_UNAVAILABLE},
    {"57014", ERR_TIMEOUT}, {"57", ERR_UNAVAILABLE},    {"08", ERR_UNAVAILABLE},
    {"22", ERR_INVALID},    {"XX001", ERR_CORRUPT},     {"XX002", ERR_CORRUPT},
};

/* PostgreSQL has a code for ENOSPC and one for EIO, but none for a quota or a file-size limit:
 * those are internal errors of the functions that make a file longer. Their texts may be
 * translated. */
static bool is_full(const char *state, const char *function)
{
    static const char *const extend[] = {
        "mdextend", "mdzeroextend", "BufFileDumpBuffer", "FileZero", "FileFallocate"};
    if (!state || !function || strcmp(state, "XX000") != 0)
        return false;
    for (size_t i = 0; i < sizeof extend / sizeof *extend; i++)
        if (strcmp(function, extend[i]) == 0)
            return true;
    return false;
}

static enum err kind_of(const char *state, const char *function)
{
    if (is_full(state, function))
        return ERR_FULL;
    for (size_t i = 0; state && i < sizeof state_kinds / sizeof *state_kinds; i++)
        if (strncmp(state, state_kinds[i].prefix, strlen(state_kinds[i].prefix)) == 0)
            return state_kinds[i].err;
    return ERR_IO;
}

/* The result, which may be NULL, says that the session or the server takes no writes. */
static bool sqlstate_is_read_only(const struct pg_result *result)
{
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    return state && strcmp(state, "25006") == 0;
}

/* Reports the error of the result, which may be NULL, of the database `name`. The reason has only
 * the primary message, because the details repeat values. ERR_IO for an unknown SQLSTATE. */
static enum err sqlstate_report(const struct pg_result *result, struct str name, struct fail *fail)
{
    const char *text = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY); /* of NULL: NULL */
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    enum err err = kind_of(state, PQresultErrorField(result, PG_DIAG_SOURCE_FUNCTION));
    if (state && strcmp(state, "55P03") == 0)
        text = "another process is writing to it and does not finish (the lock timeout passed)";
    return fail_set(
        fail, err, "%.*s: %s%s", STR_ARG(name), err == ERR_FULL ? "the disk is full: " : "",
        text ? text : "an unexpected answer");
}

struct db;

/* COPY FROM STDIN and notifications of a PostgreSQL connection. */

static enum err lost(struct db *db, struct fail *fail)
{
    return fail_set(fail, ERR_UNAVAILABLE, "%.*s: the connection was lost", STR_ARG(db->name));
}

/* Sends the statement. After an error nothing is left to read, and copy_stop is not called. */
static enum err postgresql_copy_start(struct db *db, const char *sql, struct fail *fail)
{
    if (!PQsendQuery(db_postgresql_connection(db), sql))
        return lost(db, fail);
    PGresult *result = db_postgresql_next_result(db);
    bool ready = PQresultStatus(result) == PGRES_COPY_IN;
    enum err err = OK;
    if (PQstatus(db_postgresql_connection(db)) != CONNECTION_OK)
        err = lost(db, fail);
    else if (!ready)
        err = sqlstate_report(result, db->name, fail);
    PQclear(result);
    if (!err && PQsetnonblocking(db_postgresql_connection(db), 1) != 0)
        return lost(db, fail);
    if (!err)
        return OK;
    (void)db_postgresql_finish(db, NULL); /* nothing may be left to read */
    return err;
}

/* A server that does not take a piece in time counts as lost, as one that does not answer. */
static enum err postgresql_copy_put(struct db *db, const void *p, size_t n, struct fail *fail)
{
    enum { PIECE = 1 << 16 };
    const char *from = p;
    for (size_t at = 0; at < n; at += PIECE) {
        int size = (int)(n - at < PIECE ? n - at : PIECE);
        if (PQputCopyData(db_postgresql_connection(db), from + at, size) != 1 ||
            !db_postgresql_flush(db))
            return lost(db, fail);
    }
    return OK;
}

/* `whole` false: the server forgets the rows, and the transaction can only be rolled back. */
static enum err postgresql_copy_stop(struct db *db, bool whole, struct fail *fail)
{
    const char *reason = whole ? NULL : "the client gave up";
    if (PQputCopyEnd(db_postgresql_connection(db), reason) != 1 || !db_postgresql_flush(db) ||
        PQsetnonblocking(db_postgresql_connection(db), 0) != 0)
        return lost(db, fail);
    return db_postgresql_finish(db, fail);
}

int db_postgresql_socket(struct db *db)
{
    return PQsocket(db_postgresql_connection(db));
}

bool db_postgresql_notified(struct db *db)
{
    PGconn *connection = db_postgresql_connection(db);
    bool any = false;
    if (!PQconsumeInput(connection))
        return true; /* lost: the next statement notices */
    for (PGnotify *n; (n = PQnotifies(connection)); PQfreemem(n))
        any = true;
    return any;
}

/* Pairs the hosts of an address with their ports. */

static struct str text_of(const char *text)
{
    return str_from(text ? text : "");
}

/* "postgresql://one:5432,two:5433/stockact", without user and password; on the heap. `hosts` and
 * `ports` are libpq's lists between commas, where one port may apply to all. Each may be NULL. */
static struct str postgresql_name(const char *hosts, const char *ports, const char *database)
{
    struct str rest = text_of(hosts), ports_rest = text_of(ports), host, port = ports_rest;
    bool each = str_find_char(port, ',') >= 0;
    BUF_SCOPED(text, 1000);
    buf_fmt(&text, "postgresql://");
    for (const char *comma = ""; str_split(&rest, ',', &host); comma = ",") {
        if (each && !str_split(&ports_rest, ',', &port))
            port = (struct str){NULL, 0};
        buf_fmt(&text, "%s%.*s%s%.*s", comma, STR_ARG(host), port.n ? ":" : "", STR_ARG(port));
    }
    buf_fmt(&text, "/%.*s", STR_ARG(text_of(database)));
    return str_of(mem_strdup(buf_view(&text)), text.n);
}

/* Statements of killed processes. */

enum { FIRST_VERSION = 140000 };

/* PostgreSQL 14 and later checks every DB_CLIENT_CHECK_MS. A server whose version or system lacks
 * this works without it. *connection may be NULL or lost afterwards. */
static void postgresql_check_client(PGconn **connection)
{
    char sql[64];
    if (PQserverVersion(*connection) < FIRST_VERSION)
        return;
    snprintf(sql, sizeof sql, "SET client_connection_check_interval = %d", DB_CLIENT_CHECK_MS);
    if (!PQsendQuery(*connection, sql))
        return;
    for (PGresult *r; (r = postgresql_next_result(connection, DB_SILENCE_MS));)
        PQclear(r);
}

enum {
    NAME_SIZE = 24,
    INTEGER_TEXT_SIZE = 21,
    SETTINGS_MAX = 64,
    FORMAT_BINARY = 1,
};

struct postgresql_db {
    struct db base;
    PGconn *connection; /* never NULL once open */
    PQconninfoOption *settings;
    bool read_only;
    bool has_own_session; /* no pooler shares it; checked on the first connection */
    bool met_standby;     /* it refused a write: connect again before the next statement */
    int lock_timeout_ms;
    bool patient;        /* db_options */
    unsigned generation; /* counts connections: statements prepared on an earlier one are gone */
    unsigned names;      /* statements named so far */
};

struct postgresql_statement {
    struct db_statement base;
    char name[NAME_SIZE];
    unsigned generation;
    int parameters;
    const char *values[DB_PARAMETERS_MAX];
    int lengths[DB_PARAMETERS_MAX];
    int formats[DB_PARAMETERS_MAX];
    char integers[DB_PARAMETERS_MAX][INTEGER_TEXT_SIZE];
    bool sent;
    PGresult *row; /* the current row */
    int64_t changes;
};

static const struct db_driver postgresql_driver;

static struct postgresql_db *postgresql_of(struct db *db)
{
    return (struct postgresql_db *)db;
}

static struct postgresql_statement *statement_of(struct db_statement *s)
{
    return (struct postgresql_statement *)s;
}

static const PGresult *row_of(const struct db_statement *s)
{
    return ((const struct postgresql_statement *)s)->row;
}

/* Errors */

static bool is_lost(const struct postgresql_db *pg)
{
    return PQstatus(pg->connection) != CONNECTION_OK;
}

static enum err report(struct postgresql_db *pg, const PGresult *result, struct fail *fail)
{
    const char *how = pg->connection ? "the connection was lost" : "no answer in time";
    if (is_lost(pg))
        return fail_set(fail, ERR_UNAVAILABLE, "%.*s: %s", STR_ARG(pg->base.name), how);
    /* One address can lead to the standby during a failover, and to the primary afterwards. */
    bool no_writes = sqlstate_is_read_only(result);
    pg->met_standby = pg->met_standby || no_writes;
    if (no_writes && !pg->read_only)
        return fail_set(
            fail, ERR_UNAVAILABLE, "%.*s: it takes no writes: it is a standby, or read-only",
            STR_ARG(pg->base.name));
    return sqlstate_report(result, pg->base.name, fail);
}

/* Waiting */

static void drop(struct postgresql_db *pg)
{
    PQfinish(pg->connection);
    pg->connection = NULL;
}

struct pg_result *db_postgresql_next_result(struct db *db)
{
    struct postgresql_db *pg = postgresql_of(db);
    return postgresql_next_result(&pg->connection, pg->base.silence_max_ms);
}

/* Reads all results of the request; returns the first error. */
static enum err finish(struct postgresql_db *pg, struct fail *fail)
{
    enum err err = OK;
    for (PGresult *r; (r = db_postgresql_next_result(&pg->base)); PQclear(r)) {
        ExecStatusType status = PQresultStatus(r);
        if (!err && status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
            err = report(pg, r, fail);
    }
    return !err && is_lost(pg) ? report(pg, NULL, fail) : err;
}

static enum err postgresql_exec(struct db *db, const char *sql, struct fail *fail)
{
    struct postgresql_db *pg = postgresql_of(db);
    if (!PQsendQuery(pg->connection, sql))
        return report(pg, NULL, fail);
    return finish(pg, fail);
}

/* Connecting */

static const char *setting(const struct postgresql_db *pg, const char *keyword)
{
    for (const PQconninfoOption *o = pg->settings; o->keyword; o++)
        if (strcmp(o->keyword, keyword) == 0)
            return o->val;
    return NULL;
}

static enum err refuse_connection(struct postgresql_db *pg, struct fail *fail)
{
    struct str text = str_from(PQerrorMessage(pg->connection));
    ptrdiff_t end = str_find_char(text, '\n');
    if (end >= 0)
        text.n = (size_t)end;
    (void)fail_set(fail, ERR_UNAVAILABLE, "%.*s: %.*s", STR_ARG(pg->base.name), STR_ARG(text));
    drop(pg);
    return ERR_UNAVAILABLE;
}

static enum err configure(struct postgresql_db *pg, struct fail *fail)
{
    const char *encoding = PQparameterStatus(pg->connection, "server_encoding");
    if (!encoding || strcmp(encoding, "UTF8") != 0)
        return fail_set(
            fail, ERR_REFUSED, "%.*s: the database's encoding must be UTF8",
            STR_ARG(pg->base.name));
    postgresql_check_client(&pg->connection);
    BUF_SCOPED(sql, 1000);
    buf_fmt(
        &sql,
        "SET search_path = stockact, pg_temp; SET client_min_messages = error;"
        "SET statement_timeout = %d; SET lock_timeout = %d; SET default_transaction_read_only = %s;"
        "SET idle_in_transaction_session_timeout = %d",
        DB_STATEMENT_TIMEOUT_MS, pg->lock_timeout_ms, pg->read_only ? "on" : "off",
        pg->read_only || pg->patient ? 0 : DB_IDLE_WRITER_TIMEOUT_MS);
    buf_char(&sql, '\0');
    return postgresql_exec(&pg->base, sql.p, fail);
}

static enum err reconnect(struct postgresql_db *pg, struct fail *fail)
{
    static const char *const ours[][2] = {
        {"application_name", "stockact"}, {"keepalives_idle", "10"}, {"keepalives_interval", "5"},
        {"tcp_user_timeout", "10000"},    {"connect_timeout", "5"},
    };
    const char *keywords[SETTINGS_MAX + 1] = {NULL}, *values[SETTINGS_MAX + 1] = {NULL};
    size_t n = 0;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++, n++) {
        keywords[n] = ours[i][0];
        values[n] = ours[i][1];
    }
    for (const PQconninfoOption *o = pg->settings; o->keyword && n < SETTINGS_MAX - 1; o++) {
        if (o->val) { /* the last of two settings with one name counts */
            keywords[n] = o->keyword;
            values[n++] = o->val;
        }
    }
    keywords[n] = "client_encoding";
    values[n] = "UTF8";

    drop(pg);
    pg->met_standby = false;
    pg->generation++;
    pg->connection = postgresql_connect(keywords, values);
    if (is_lost(pg))
        return refuse_connection(pg, fail);
    enum err err = OK;
    if (!pg->has_own_session)
        err = postgresql_pooler_check(&pg->connection, keywords, values, pg->base.name, fail);
    pg->has_own_session = !err;
    if (!err)
        err = configure(pg, fail);
    if (err)
        drop(pg);
    return err;
}

static void postgresql_close(struct db *db)
{
    struct postgresql_db *pg = postgresql_of(db);
    drop(pg);
    PQconninfoFree(pg->settings);
    mem_free(pg);
}

enum err db_postgresql_check_built(struct fail *fail)
{
    return OK;
}

enum err db_postgresql_open(
    struct str url, const struct db_options *options, struct db **ret, struct fail *fail)
{
    char *text = mem_strdup(url);
    PQconninfoOption *settings = PQconninfoParse(text, NULL); /* its errors repeat the address */
    mem_wipe(text, url.n);
    mem_free(text);
    if (!settings)
        return fail_set(fail, ERR_INVALID, "the address of the database is not a PostgreSQL URI");
    struct postgresql_db *pg = MEM_NEW(struct postgresql_db);
    pg->base.driver = &postgresql_driver;
    pg->settings = settings;
    pg->read_only = options->read_only;
    pg->patient = options->patient;
    pg->base.silence_max_ms = pg->patient ? DB_STATEMENT_TIMEOUT_MS : DB_SILENCE_MS;
    pg->lock_timeout_ms = options->busy_timeout_ms ? options->busy_timeout_ms : DB_BUSY_TIMEOUT_MS;
    pg->base.name =
        postgresql_name(setting(pg, "host"), setting(pg, "port"), setting(pg, "dbname"));
    enum err err = reconnect(pg, fail);
    if (err) {
        db_close(&pg->base);
        return err;
    }
    *ret = &pg->base;
    return OK;
}

/* If the server of an idle connection went away, the end of the stream waits to be read behind the
 * server's last messages. */
static bool has_ended(struct postgresql_db *pg)
{
    struct pollfd p = {.fd = PQsocket(pg->connection), .events = POLLIN};
    while (!is_lost(pg) && poll(&p, 1, 0) > 0)
        if (!PQconsumeInput(pg->connection))
            return true;
    return is_lost(pg);
}

static enum err postgresql_ready(struct db *db, struct fail *fail)
{
    struct postgresql_db *pg = postgresql_of(db);
    if (db->in_transaction)
        return is_lost(pg) ? report(pg, NULL, fail) : OK;
    return has_ended(pg) || pg->met_standby ? reconnect(pg, fail) : OK;
}

/* Statements */

static int count_parameters(const char *sql)
{
    int most = 0;
    for (const char *p = sql; (p = strchr(p, '$'));) {
        int n = 0;
        for (p++; ascii_is_digit(*p); p++)
            n = n * 10 + (*p - '0');
        most = n > most ? n : most;
    }
    assert(most <= DB_PARAMETERS_MAX);
    return most;
}

static enum err postgresql_prepare(
    struct db *db, const char *sql, struct db_statement **statement, struct fail *fail)
{
    struct postgresql_db *pg = postgresql_of(db);
    struct postgresql_statement *s = *statement ? statement_of(*statement) : NULL;
    if (s && s->generation == pg->generation)
        return OK;
    char name[NAME_SIZE];
    snprintf(name, sizeof name, "s%u", pg->names++);
    TRY(PQsendPrepare(pg->connection, name, sql, 0, NULL) ? finish(pg, fail)
                                                          : report(pg, NULL, fail));
    if (!s) {
        s = MEM_NEW(struct postgresql_statement);
        s->base.sql = sql;
        s->parameters = count_parameters(sql);
        *statement = &s->base;
    }
    memcpy(s->name, name, sizeof s->name);
    s->generation = pg->generation;
    return OK;
}

static void postgresql_finalize(struct db *db, struct db_statement *statement)
{
    mem_free(statement);
}

static int postgresql_parameters(const struct db_statement *statement)
{
    return ((const struct postgresql_statement *)statement)->parameters;
}

/* The connection accepts nothing else until the last row has been read. */
static bool postgresql_runs_to_end(const struct db_statement *statement)
{
    return true;
}

static void bind(struct db_statement *statement, int n, const char *p, size_t size, int format)
{
    struct postgresql_statement *s = statement_of(statement);
    assert(n <= s->parameters && size <= INT32_MAX);
    s->values[n - 1] = p;
    s->lengths[n - 1] = (int)size;
    s->formats[n - 1] = format;
}

static void postgresql_bind_null(struct db_statement *statement, int n)
{
    bind(statement, n, NULL, 0, 0);
}

/* As text, which every integer type accepts. */
static void postgresql_bind_i64(struct db_statement *statement, int n, int64_t value)
{
    char *text = statement_of(statement)->integers[n - 1];
    int size = snprintf(text, INTEGER_TEXT_SIZE, "%lld", (long long)value);
    bind(statement, n, text, (size_t)size, 0);
}

static void postgresql_bind_text(struct db_statement *statement, int n, struct str value)
{
    bind(statement, n, value.p, value.n, FORMAT_BINARY); /* its bytes, without a final NUL */
}

static void postgresql_bind_blob(struct db_statement *statement, int n, const void *p, size_t size)
{
    bind(statement, n, p, size, FORMAT_BINARY);
}

static bool send(struct postgresql_db *pg, struct postgresql_statement *s)
{
    s->sent = true;
    s->changes = 0;
    return PQsendQueryPrepared(
               pg->connection, s->name, s->parameters, s->values, s->lengths, s->formats,
               FORMAT_BINARY) &&
           PQsetSingleRowMode(pg->connection);
}

static int64_t count_changes(PGresult *result)
{
    int64_t n;
    return str_to_i64(str_from(PQcmdTuples(result)), &n) ? n : 0;
}

static enum db_step postgresql_step(
    struct db *db, struct db_statement *statement, enum err *ret_err, struct fail *fail)
{
    struct postgresql_db *pg = postgresql_of(db);
    struct postgresql_statement *s = statement_of(statement);
    PQclear(s->row);
    s->row = NULL;
    if (!s->sent && !send(pg, s)) {
        *ret_err = report(pg, NULL, fail);
        return DB_STEP_FAILED;
    }
    PGresult *r = db_postgresql_next_result(db);
    ExecStatusType status = PQresultStatus(r);
    if (status == PGRES_SINGLE_TUPLE) {
        s->row = r;
        return DB_STEP_ROW;
    }
    bool good = r && (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK);
    if (good)
        s->changes = count_changes(r);
    else
        *ret_err = report(pg, r, fail);
    PQclear(r);
    enum err after = finish(pg, good ? fail : NULL);
    if (good && after) {
        *ret_err = after;
        good = false;
    }
    return good ? DB_STEP_DONE : DB_STEP_FAILED;
}

static int64_t postgresql_end(struct db *db, struct db_statement *statement)
{
    struct postgresql_statement *s = statement_of(statement);
    PQclear(s->row);
    s->row = NULL;
    s->sent = false;
    return s->changes;
}

static bool postgresql_is_null(const struct db_statement *statement, int column)
{
    return PQgetisnull(row_of(statement), 0, column);
}

static int64_t postgresql_get_i64(const struct db_statement *statement, int column)
{
    const PGresult *row = row_of(statement);
    const char *p = PQgetvalue(row, 0, column);
    int n = PQgetlength(row, 0, column);
    uint64_t wide;
    uint32_t narrow;
    switch (n) {
    case 0: /* NULL */
        return 0;
    case 1: /* boolean */
        return *p;
    case sizeof narrow:
        memcpy(&narrow, p, sizeof narrow);
        return (int32_t)be32toh(narrow);
    default:
        assert(n == sizeof wide); /* statements cast sums and the like to BIGINT */
        memcpy(&wide, p, sizeof wide);
        return (int64_t)be64toh(wide);
    }
}

static struct str postgresql_get_bytes(const struct db_statement *statement, int column)
{
    const PGresult *row = row_of(statement);
    if (PQgetisnull(row, 0, column))
        return STR_NULL;
    return str_of(PQgetvalue(row, 0, column), (size_t)PQgetlength(row, 0, column));
}

struct pg_conn *db_postgresql_connection(struct db *db)
{
    assert(db->driver == &postgresql_driver);
    return postgresql_of(db)->connection;
}

bool db_postgresql_flush(struct db *db)
{
    struct postgresql_db *pg = postgresql_of(db);
    return postgresql_flush(&pg->connection, pg->base.silence_max_ms);
}

enum err db_postgresql_finish(struct db *db, struct fail *fail)
{
    return finish(postgresql_of(db), fail);
}

unsigned db_postgresql_generation(struct db *db)
{
    return postgresql_of(db)->generation;
}

static const struct db_driver postgresql_driver = {
    .kind = DB_POSTGRESQL,
    .close = postgresql_close,
    .ready = postgresql_ready,
    .exec = postgresql_exec,
    .prepare = postgresql_prepare,
    .finalize = postgresql_finalize,
    .parameters = postgresql_parameters,
    .runs_to_end = postgresql_runs_to_end,
    .bind_null = postgresql_bind_null,
    .bind_i64 = postgresql_bind_i64,
    .bind_text = postgresql_bind_text,
    .bind_blob = postgresql_bind_blob,
    .step = postgresql_step,
    .end = postgresql_end,
    .is_null = postgresql_is_null,
    .get_i64 = postgresql_get_i64,
    .get_text = postgresql_get_bytes,
    .get_blob = postgresql_get_bytes,
    .copy_start = postgresql_copy_start,
    .copy_put = postgresql_copy_put,
    .copy_stop = postgresql_copy_stop,
};
