/* The name of a PostgreSQL database in messages. Private to src/db. */
#pragma once

#include "base/str.h"

/* "postgresql://one:5432,two:5433/stockact", without user and password; on the heap. `hosts` and
 * `ports` are libpq's lists between commas, where one port may apply to all. Each may be NULL. */
struct str postgresql_name(const char *hosts, const char *ports, const char *database);
