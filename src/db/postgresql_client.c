/* Statements of killed processes; see postgresql_client.h. */
#include "db/postgresql_client.h"

#include <stdio.h>

#include "db/db.h"
#include "db/postgresql_wait.h"

enum { FIRST_VERSION = 140000 };

void postgresql_check_client(PGconn **connection)
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
