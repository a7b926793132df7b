/*
 * COPY FROM STDIN, as the driver's copy_start, copy_put and copy_stop (db_driver.h). Private to
 * src/db. ERR_UNAVAILABLE: the connection was lost, or the server was silent for too long.
 */
#pragma once

#include <stddef.h>

#include "base/err.h"

struct db;

/* Sends the statement. After an error nothing is left to read, and copy_stop is not called. */
enum err postgresql_copy_start(struct db *db, const char *sql, struct fail *fail) MUST_CHECK;
/* Sends bytes of the binary form. Errors of rows show in copy_stop. */
enum err postgresql_copy_put(struct db *db, const void *p, size_t n, struct fail *fail) MUST_CHECK;
/* `whole` false: the server forgets the rows, and the transaction can only be rolled back. */
enum err postgresql_copy_stop(struct db *db, bool whole, struct fail *fail) MUST_CHECK;
