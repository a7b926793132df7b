/* The certificate of the database's server. */
#pragma once

#include "db/db.h"

/* The expiry of the server's certificate on this connection, in milliseconds since 1970.
 * INSTANT_NONE: the server sent none, or this is an SQLite file. */
int64_t db_certificate_ends(struct db *db);
