/* Maps SQLite result codes to enum err, with a reason for people. */
#pragma once

#include "base/err.h"
#include "base/str.h"

struct sqlite3;

/* `code` is the last result on `handle`, other than OK; `name` names the database. Aborts when
 * memory ran out. */
enum err sqlite_error(struct sqlite3 *handle, int code, struct str name, struct fail *fail);
