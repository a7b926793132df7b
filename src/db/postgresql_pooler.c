/*
 * PostgreSQL tells a client the number of its session when it connects; a pooler tells a number of
 * its own. If the two differ, a second connection shows whether sessions stay with their clients:
 * both connections ask for the number of their session in turns, while the other one is idle. A
 * pooler that shares sessions gives the second connection the session that the first one used last,
 * or moves the first one to another. Several turns, because other clients of the pool may take a
 * session between two questions. See postgresql_pooler.h.
 */
#include "db/postgresql_pooler.h"

#include <stdbool.h>

#include "db/db.h"
#include "db/postgresql_hosts.h"
#include "db/postgresql_wait.h"

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

enum err postgresql_pooler_check(
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
            "%.*s: a connection pooler gives each transaction another session: set "
            "pool_mode = session in PgBouncer, or connect to PostgreSQL without it",
            STR_ARG(name));
    return OK;
}
