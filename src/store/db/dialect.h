/* The few statements that need a different text on each database, all in one place
 * (docs/adr/0001-one-sql-text-two-drivers.md). Private to src/store. */
#pragma once

#include "store/db/db_kind.h"

enum dialect {
    DIALECT_BEGIN_WRITE,
    DIALECT_BEGIN_READ,
    DIALECT_TABLES,       /* one row: the number of tables, ours and others */
    DIALECT_IS_MIGRATED,  /* one row: 1 if the table migration exists */
    DIALECT_MIGRATE_LOCK, /* inside the transaction: makes other migrations wait */
    DIALECT_CREATED,      /* marks a new database as ours */
    DIALECT_NOTIFY,       /* wakes other processes at the commit */
    DIALECT_LISTEN,
    /* One row: milliseconds of a clock that all nodes share, and a text that identifies this
     * database and is another one where a backup is restored. NULL: the machine's clock, and a
     * lock. */
    DIALECT_NODE_CLOCK,
    DIALECT_NODE_CLEAR, /* at the start of the only node; NULL: there may be others */
    /* $1 is a JSON array of [trade, finding]: one statement for many, because each is a round trip
     * on PostgreSQL. */
    DIALECT_FINDING_HISTORY, /* at $2, the findings that differ; returns the line numbers */
    DIALECT_FINDING_CLEAR,   /* the trades whose finding is 0 */
    DIALECT_FINDING_SET,     /* the others */
    /* $1 is a JSON array of [alert, bits in hexadecimal digits], $2 the first entry of the pass:
     * one statement for many, as above. NULL: a statement costs little. */
    DIALECT_ALERT_MATCH,
    DIALECT_SIZE,        /* one row: the version, bytes, free bytes inside or NULL */
    DIALECT_TABLE_SIZES, /* rows: name of a table, its rows (an estimate), its bytes or NULL */
    DIALECT_COUNT
};

/* NULL: this database needs no such statement. */
const char *dialect_text(enum db_kind kind, enum dialect dialect);
