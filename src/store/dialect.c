/* Second texts; see dialect.h. */
#include "store/dialect.h"

#include <assert.h>

static const char *const texts[DIALECT_COUNT][2] = {
    [DIALECT_BEGIN_WRITE] = {"BEGIN IMMEDIATE", "BEGIN"},
    [DIALECT_BEGIN_READ] = {"BEGIN", "BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY"},
    [DIALECT_TABLES] =
        {"SELECT (SELECT count(*) FROM sqlite_schema)"
         " + (SELECT application_id <> 0 FROM pragma_application_id)",
         "SELECT count(*) FROM pg_catalog.pg_class c"
         " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
         " WHERE n.nspname = 'stockact'"},
    [DIALECT_IS_MIGRATED] =
        {"SELECT count(*) FROM sqlite_schema, pragma_application_id AS a"
         " WHERE type = 'table' AND name = 'migration' AND a.application_id = 1400127843",
         "SELECT count(*) FROM pg_catalog.pg_class c"
         " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
         " WHERE n.nspname = 'stockact' AND c.relname = 'migration'"},
    [DIALECT_MIGRATE_LOCK] = {NULL, "SELECT pg_advisory_xact_lock(1400127843)"},
    [DIALECT_CREATED] =
        {"PRAGMA application_id = 1400127843", "CREATE SCHEMA IF NOT EXISTS stockact"},
    [DIALECT_NOTIFY] = {NULL, "NOTIFY stockact_change"},
    [DIALECT_LISTEN] = {NULL, "LISTEN stockact_change"},
    [DIALECT_NODE_CLOCK] =
        {NULL, "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"},
};

const char *dialect_text(const struct db *db, enum dialect dialect)
{
    assert(dialect < DIALECT_COUNT);
    return texts[dialect][db_kind(db) == DB_POSTGRESQL];
}
