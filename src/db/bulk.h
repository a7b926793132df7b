/*
 * Writes many rows of one table: with COPY on PostgreSQL, and with one prepared INSERT on SQLite.
 * Inside a transaction of the caller. The connection runs no query between bulk_begin and bulk_end.
 *
 *     static const struct bulk_text text = {"INSERT INTO t (a, b) VALUES ($1, $2)",
 *                                           "COPY t (a, b) FROM STDIN (FORMAT binary)", 2};
 *     bulk_begin(&bulk, db, &text);
 *     for each row: bulk_i64(&bulk, a); bulk_str(&bulk, b);
 *     return bulk_end(&bulk, OK, fail);
 *
 * Errors are sticky. On PostgreSQL the error of a row can show at bulk_end only.
 */
#pragma once

#include "base/buf.h"
#include "db/db.h"

/* The texts must outlive the connection. */
struct bulk_text {
    const char *insert;
    const char *copy;
    int columns; /* at most DB_PARAMETERS_MAX */
};

struct bulk {
    struct db *db;
    const struct bulk_text *text;
    struct query query; /* SQLite: the row that is being bound */
    struct buf out;     /* PostgreSQL: what was not sent yet */
    int column;         /* of the next value */
    bool copying;
    enum err err;
    struct fail fail;
};

void bulk_begin(struct bulk *b, struct db *db, const struct bulk_text *text);

/* The values of a row in the order of its columns; the last one ends the row. */
void bulk_null(struct bulk *b);
void bulk_i64(struct bulk *b, int64_t value);
void bulk_opt_i64(struct bulk *b, int64_t value, int64_t none); /* stores `none` as NULL */
void bulk_str(struct bulk *b, struct str value);                /* null stores NULL */
void bulk_blob(struct bulk *b, struct str value);

/* Must follow every bulk_begin. err: an error of the caller, after which the transaction must be
 * rolled back. */
enum err bulk_end(struct bulk *b, enum err err, struct fail *fail);

/* SQLite: this connection no longer checks foreign keys or runs triggers. PostgreSQL: does nothing.
 * Call it outside a transaction. */
enum err bulk_unchecked(struct db *db, struct fail *fail);
