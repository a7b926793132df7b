/* The few statements that have a second text, all in one place
 * (docs/adr/0001-one-sql-text-two-drivers.md). Private to src/store. */
#pragma once

#include "store/db/db_kind.h"

enum dialect {
    DIALECT_BEGIN_WRITE,
    DIALECT_BEGIN_READ,
    DIALECT_TABLES,       /* one row: how many tables are there; ours and others' */
    DIALECT_IS_MIGRATED,  /* one row: 1 when table migration is there */
    DIALECT_MIGRATE_LOCK, /* inside the transaction: the others wait */
    DIALECT_CREATED,      /* marks a new database as ours */
    DIALECT_NOTIFY,       /* wakes other processes at commit */
    DIALECT_LISTEN,
    DIALECT_NODE_CLOCK, /* one row: milliseconds of a clock that all nodes share; NULL: none */
    /* Of $1, a JSON array of [trade, finding]: many in one statement, because each is a round trip
     * on PostgreSQL. */
    DIALECT_FINDING_HISTORY, /* at $2, those that differ; rows: the numbers of the lines */
    DIALECT_FINDING_CLEAR,   /* those whose finding is 0 */
    DIALECT_FINDING_SET,     /* the others */
    DIALECT_COUNT
};

/* NULL: nothing to do on this database. */
const char *dialect_text(enum db_kind kind, enum dialect dialect);
