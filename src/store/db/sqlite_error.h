/* What an SQLite result code means here, and what a person is told of it. */
#pragma once

#include "base/err.h"
#include "base/str.h"

struct sqlite3;

/* `code` is what the last call on `handle` gave, other than OK; `name` is of the database. No
 * memory: aborts. */
enum err sqlite_error(struct sqlite3 *handle, int code, struct str name, struct fail *fail);
