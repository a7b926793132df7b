/* The statements that differ; see dialect.h. */
#include "store/db/dialect.h"

#include <assert.h>
#include <stddef.h>

/* A JSON array of [trade, finding] as rows. */
#define PAIRS_SQLITE                                                                               \
    "(SELECT json_extract(value, '$[0]') AS trade_no, json_extract(value, '$[1]') AS finding_no"   \
    " FROM json_each($1)) AS p"
#define PAIRS_POSTGRESQL                                                                           \
    "(SELECT CAST(value ->> 0 AS BIGINT) AS trade_no, CAST(value ->> 1 AS BIGINT) AS finding_no"   \
    " FROM json_array_elements(CAST($1 AS JSON))) AS p"

#define FINDING_HISTORY(pairs)                                                                     \
    "INSERT INTO finding_history (trade_no, at, old_no, new_no)"                                   \
    " SELECT p.trade_no, $2, t.finding_no, nullif(p.finding_no, 0) FROM " pairs                    \
    " LEFT JOIN trade_finding t ON t.trade_no = p.trade_no"                                        \
    " WHERE coalesce(t.finding_no, 0) <> p.finding_no RETURNING no"
#define FINDING_CLEAR(pairs)                                                                       \
    "DELETE FROM trade_finding WHERE trade_no IN"                                                  \
    " (SELECT p.trade_no FROM " pairs " WHERE p.finding_no = 0)"
#define FINDING_SET(pairs)                                                                         \
    "INSERT INTO trade_finding (trade_no, finding_no)"                                             \
    " SELECT p.trade_no, p.finding_no FROM " pairs " WHERE p.finding_no <> 0"                      \
    " ON CONFLICT (trade_no) DO UPDATE SET finding_no = excluded.finding_no"

/* Rows are numbered in order, so two steps into a table tell about how many it has. */
#define ROWS(table)                                                                                \
    "SELECT '" table "', coalesce((SELECT max(rowid) FROM " table                                  \
    ") - (SELECT min(rowid) FROM " table ") + 1, 0), NULL"
#define UNION_ALL " UNION ALL "
/* clang-format off */
#define TABLE_SIZES_SQLITE                                                                         \
    ROWS("account") UNION_ALL ROWS("action_log") UNION_ALL ROWS("alert") UNION_ALL                 \
    ROWS("alert_match") UNION_ALL ROWS("api_key") UNION_ALL ROWS("attempt") UNION_ALL              \
    ROWS("chain") UNION_ALL ROWS("change_log") UNION_ALL ROWS("correction") UNION_ALL              \
    ROWS("delivery") UNION_ALL ROWS("document") UNION_ALL ROWS("document_bytes") UNION_ALL         \
    ROWS("document_version") UNION_ALL ROWS("draft") UNION_ALL ROWS("draft_row") UNION_ALL         \
    ROWS("endpoint") UNION_ALL ROWS("event") UNION_ALL ROWS("filing") UNION_ALL                    \
    ROWS("finding_history") UNION_ALL ROWS("job_run") UNION_ALL ROWS("mail") UNION_ALL             \
    ROWS("member") UNION_ALL ROWS("publication") UNION_ALL ROWS("session") UNION_ALL               \
    ROWS("trade")
/* clang-format on */

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
        {NULL,
         /* not md5(): PostgreSQL refuses it where only FIPS algorithms are allowed */
         "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT),"
         " left(encode(sha256(convert_to(concat_ws(':', s.system_identifier, d.oid,"
         " CAST(to_regclass('node') AS OID)), 'UTF8')), 'hex'), 16)"
         " FROM pg_control_system() s, pg_catalog.pg_database d"
         " WHERE d.datname = current_database()"},
    [DIALECT_NODE_CLEAR] = {"DELETE FROM node", NULL},
    [DIALECT_FINDING_HISTORY] = {FINDING_HISTORY(PAIRS_SQLITE), FINDING_HISTORY(PAIRS_POSTGRESQL)},
    [DIALECT_FINDING_CLEAR] = {FINDING_CLEAR(PAIRS_SQLITE), FINDING_CLEAR(PAIRS_POSTGRESQL)},
    [DIALECT_FINDING_SET] = {FINDING_SET(PAIRS_SQLITE), FINDING_SET(PAIRS_POSTGRESQL)},
    [DIALECT_ALERT_MATCH] =
        {NULL, "INSERT INTO alert_match (alert_no, first_seq, bits)"
               " SELECT CAST(value ->> 0 AS BIGINT), $2, decode(value ->> 1, 'hex')"
               " FROM json_array_elements(CAST($1 AS JSON)) ON CONFLICT (alert_no, first_seq)"
               " DO UPDATE SET bits = excluded.bits WHERE alert_match.sent_at IS NULL"},
    [DIALECT_SIZE] =
        {"SELECT sqlite_version(), c.page_count * s.page_size, f.freelist_count * s.page_size"
         " FROM pragma_page_count c, pragma_page_size s, pragma_freelist_count f",
         "SELECT current_setting('server_version'), pg_database_size(current_database()),"
         " CAST(NULL AS BIGINT)"},
    [DIALECT_TABLE_SIZES] =
        {TABLE_SIZES_SQLITE,
         "SELECT c.relname, CAST(greatest(c.reltuples, coalesce(s.n_live_tup, 0), 0) AS BIGINT),"
         " pg_total_relation_size(c.oid) FROM pg_catalog.pg_class c"
         " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
         " LEFT JOIN pg_catalog.pg_stat_user_tables s ON s.relid = c.oid"
         " WHERE n.nspname = 'stockact' AND c.relkind = 'r'"},
};

const char *dialect_text(enum db_kind kind, enum dialect dialect)
{
    assert(dialect < DIALECT_COUNT);
    return texts[dialect][kind == DB_POSTGRESQL];
}
