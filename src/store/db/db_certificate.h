/* The certificate of the database's server. */
#pragma once

#include "store/db/db.h"

/* When the certificate ends that it showed for this connection, in milliseconds since 1970.
 * INSTANT_NONE: it showed none, or this is an SQLite file. */
int64_t db_certificate_ends(struct db *db);
