/* The few statements that need a different text on each database, all in one place
 * (docs/adr/0001-one-sql-text-two-drivers.md). */
#pragma once

#include "db/db_kind.h"

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
     * database and differs where a backup is restored. NULL: uses the machine's clock, and a
     * lock. */
    DIALECT_NODE_CLOCK,
    DIALECT_CLOCK, /* one row: milliseconds of the database's wall clock. NULL: the machine's */
    /* Labels of the servers with a heartbeat from $1 to $2 in the place $3 whose program does not
     * know step $4. Works before the column of step 34 exists. NULL: the caller is the only server.
     */
    DIALECT_NODE_OLDER,
    DIALECT_NODE_CLEAR, /* at the start of the only node; NULL: there may be others */
    /* $1 is a JSON array of [trade, finding]: one statement for many, because each is a round trip
     * on PostgreSQL. */
    DIALECT_FINDING_HISTORY, /* at $2, the findings that differ; returns the line numbers */
    DIALECT_FINDING_CLEAR,   /* the trades whose finding is 0 */
    DIALECT_FINDING_SET,     /* the others */
    /* $1 is a JSON array of [alert, bits in hexadecimal digits], $2 the first entry of the pass:
     * one statement for many, as above. NULL: a statement costs little. */
    DIALECT_ALERT_MATCH,
    /* $1 is a JSON array of [filing, its digest in hexadecimal digits]: one statement for many, as
     * above. NULL: a statement costs little. */
    DIALECT_FILING_DIGESTS,
    /* $1 is a JSON array of ids of trades; rows in its order: the number of each, or NULL. NULL: a
     * statement costs little. */
    DIALECT_TRADE_NUMBERS,
    DIALECT_FILING_NUMBERS_OF, /* the same of filings */
    DIALECT_FILING_NUMBERS,    /* $1 rows: numbers that no filing has */
    /* $1 is a JSON array of [month, kind, caller in hexadecimal digits, draws]: adds them in this
     * order, and returns caller and count of each row. NULL: a statement costs little. */
    DIALECT_MONTH_COUNT_ADD,
    DIALECT_SIZE, /* one row: the version, bytes, free bytes inside or NULL */
    /* One row: 1 if it is a standby, its clock in milliseconds, the sessions that are left. NULL:
     * the database is a file. */
    DIALECT_VITALS,
    /* One row: for how many milliseconds the oldest commit of this role has waited for a standby,
     * or NULL; 1 if commits wait for one and none is connected. NULL: a file has no standby. */
    DIALECT_COMMIT_WAIT,
    DIALECT_TABLE_SIZES, /* rows: name of a table, its rows (an estimate), its bytes or NULL */
    /* One row: 1 if this connection got the lock for copies into this database. NULL: the server's
     * lock is used instead. */
    DIALECT_COPY_LOCK,
    /* Rows, ordered by table and column: table, column, its type, its place in the primary key from
     * 1 (0: not part of it). All tables of the schema. */
    DIALECT_COLUMNS,
    /* Rows: a table, and four statements for one of its foreign keys: drop it, add it, add it as
     * deferred (checked at the end of transactions), and check it immediately again. NULL: the
     * connection turns foreign keys off. */
    DIALECT_FOREIGN_KEYS,
    /* Rows: a table, and two statements for one of its indexes that enforces no constraint: drop
     * it, and create it again. NULL: updating the index row by row costs as much. */
    DIALECT_PLAIN_INDEXES,
    DIALECT_COUNT
};

/* NULL: this database needs no such statement. */
const char *dialect_text(enum db_kind kind, enum dialect dialect);
