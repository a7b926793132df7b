/*
 * Lets PostgreSQL check while a statement runs that the process which sent it is still there. The
 * statement of a process that was killed would otherwise run to its end and keep its locks. Private
 * to src/store.
 */
#pragma once

#include <libpq-fe.h>

/* PostgreSQL 14 and later checks every DB_CLIENT_CHECK_MS. A server that cannot, because of its
 * version or system, goes on without. *connection may be NULL or lost afterwards. */
void postgresql_check_client(PGconn **connection);
