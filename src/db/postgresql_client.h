/*
 * Makes PostgreSQL check, while a statement runs, that the client process still exists. Otherwise
 * the statement of a killed process would run to its end and keep its locks. Private to src/db.
 */
#pragma once

#include <libpq-fe.h>

/* PostgreSQL 14 and later checks every DB_CLIENT_CHECK_MS. A server whose version or system lacks
 * this works without it. *connection may be NULL or lost afterwards. */
void postgresql_check_client(PGconn **connection);
