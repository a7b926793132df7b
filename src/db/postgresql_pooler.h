/*
 * Refuses a connection pooler that gives each transaction another session, such as PgBouncer with
 * `pool_mode = transaction` or `statement`. The driver keeps state in its session: settings,
 * prepared statements and LISTEN. A pooler in session mode works. Private to src/db.
 */
#pragma once

#include <libpq-fe.h>

#include "base/err.h"
#include "base/str.h"

/* `keywords` and `values` are those of the connection, as for PQconnectdbParams. Through a pooler
 * it briefly opens a second connection. ERR_REFUSED: sessions are shared. ERR_UNAVAILABLE: a
 * connection was lost or could not be opened, or the pooler has no second session; *connection may
 * be NULL then. */
enum err postgresql_pooler_check(
    PGconn **connection, const char *const *keywords, const char **values, struct str name,
    struct fail *fail);
