/*
 * Maps PostgreSQL's error codes to enum err.
 */
#pragma once

#include <stdbool.h>

#include "base/err.h"
#include "base/str.h"

struct pg_result;

/* Reports the error of the result, which may be NULL, of the database `name`. The reason has only
 * the primary message, because the details repeat values. ERR_IO for an unknown SQLSTATE. */
enum err sqlstate_report(const struct pg_result *result, struct str name, struct fail *fail);

/* The result, which may be NULL, says that the session or the server takes no writes. */
bool sqlstate_is_read_only(const struct pg_result *result);
