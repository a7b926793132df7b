/* Waits for PostgreSQL with a timeout. Private to src/db. */
#pragma once

#include <stdbool.h>

#include <libpq-fe.h>

/* The next result of the request that was sent. NULL: no more results, or the connection was lost.
 * If the server is silent for that long, the state of its work is unknown: the connection is freed,
 * and *connection becomes NULL. */
PGresult *postgresql_next_result(PGconn **connection, int silence_max_ms);

/* Sends the output buffer of a nonblocking connection. False: the connection was lost, or the
 * server did not accept the data in that time; the connection is freed, and *connection becomes
 * NULL. */
bool postgresql_flush(PGconn **connection, int silence_max_ms);
