/* COPY FROM STDIN and notifications of a PostgreSQL connection; see postgresql_copy.h. */
#include "db/postgresql_copy.h"

#include <libpq-fe.h>

#include "db/db_driver.h"
#include "db/sqlstate.h"

static enum err lost(struct db *db, struct fail *fail)
{
    return fail_set(fail, ERR_UNAVAILABLE, "%.*s: the connection was lost", STR_ARG(db->name));
}

enum err postgresql_copy_start(struct db *db, const char *sql, struct fail *fail)
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
enum err postgresql_copy_put(struct db *db, const void *p, size_t n, struct fail *fail)
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

enum err postgresql_copy_stop(struct db *db, bool whole, struct fail *fail)
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
