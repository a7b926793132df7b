/* The statements that differ; see dialect.h. */
#include "db/dialect.h"

#include <assert.h>
#include <stddef.h>

/* A JSON array of [trade, finding] as rows. */
#define PAIRS_SQLITE                                                                               \
    "(SELECT json_extract(value, '$[0]') AS trade_no, json_extract(value, '$[1]') AS finding_no"   \
    " FROM json_each($1)) AS p"
#define PAIRS_POSTGRESQL                                                                           \
    "(SELECT CAST(value ->> 0 AS BIGINT) AS trade_no, CAST(value ->> 1 AS BIGINT) AS finding_no"   \
    " FROM json_array_elements(CAST($1 AS JSON))) AS p"

/* A subquery finds the finding of each trade: PostgreSQL can plan a join so that it reads them all.
 */
#define FINDING_HISTORY(pairs)                                                                     \
    "INSERT INTO finding_history (trade_no, at, old_no, new_no)"                                   \
    " SELECT h.trade_no, $2, h.old_no, nullif(h.finding_no, 0) FROM"                               \
    " (SELECT p.trade_no, p.finding_no, (SELECT t.finding_no FROM trade_finding t"                 \
    " WHERE t.trade_no = p.trade_no) AS old_no FROM " pairs ") AS h"                               \
    " WHERE coalesce(h.old_no, 0) <> h.finding_no RETURNING no"
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
    /* A lock timeout of a second: a waiting lock request blocks all later ones. */
    [DIALECT_MIGRATE_LOCK] =
        {NULL, "SELECT pg_advisory_xact_lock(1400127843); SET LOCAL lock_timeout = 1000"},
    [DIALECT_CREATED] =
        {"PRAGMA application_id = 1400127843", "CREATE SCHEMA IF NOT EXISTS stockact"},
    [DIALECT_NOTIFY] = {NULL, "NOTIFY stockact_change"},
    [DIALECT_LISTEN] = {NULL, "LISTEN stockact_change"},
    [DIALECT_CLOCK] = {NULL, "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT)"},
    [DIALECT_NODE_CLOCK] =
        {NULL,
         /* not md5(): PostgreSQL refuses it where only FIPS algorithms are allowed */
         "SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT),"
         " left(encode(sha256(convert_to(concat_ws(':', s.system_identifier, d.oid,"
         " CAST(to_regclass('node') AS OID)), 'UTF8')), 'hex'), 16)"
         " FROM pg_control_system() s, pg_catalog.pg_database d"
         " WHERE d.datname = current_database()"},
    [DIALECT_NODE_OLDER] =
        {NULL, "SELECT label FROM node WHERE beat_at BETWEEN $1 AND $2 AND id LIKE '%@' || $3"
               " AND coalesce(CAST(to_jsonb(node) ->> 'program_schema' AS BIGINT), 0) < $4"
               " ORDER BY label"},
    [DIALECT_NODE_CLEAR] = {"DELETE FROM node", NULL},
    [DIALECT_FINDING_HISTORY] = {FINDING_HISTORY(PAIRS_SQLITE), FINDING_HISTORY(PAIRS_POSTGRESQL)},
    [DIALECT_FINDING_CLEAR] = {FINDING_CLEAR(PAIRS_SQLITE), FINDING_CLEAR(PAIRS_POSTGRESQL)},
    [DIALECT_FINDING_SET] = {FINDING_SET(PAIRS_SQLITE), FINDING_SET(PAIRS_POSTGRESQL)},
    [DIALECT_ALERT_MATCH] =
        {NULL, "INSERT INTO alert_match (alert_no, first_seq, bits)"
               " SELECT CAST(value ->> 0 AS BIGINT), $2, decode(value ->> 1, 'hex')"
               " FROM json_array_elements(CAST($1 AS JSON)) ON CONFLICT (alert_no, first_seq)"
               " DO UPDATE SET bits = excluded.bits WHERE alert_match.sent_at IS NULL"},
    [DIALECT_FILING_DIGESTS] =
        {NULL, "UPDATE filing SET digest = decode(v.value ->> 1, 'hex')"
               " FROM json_array_elements(CAST($1 AS JSON)) v"
               " WHERE filing.no = CAST(v.value ->> 0 AS BIGINT)"},
    [DIALECT_TRADE_NUMBERS] = /* a subquery: with a join it can read all trades each time */
    {NULL, "SELECT (SELECT t.no FROM trade t WHERE t.id = v.id)"
           " FROM json_array_elements_text(CAST($1 AS JSON)) WITH ORDINALITY AS v (id, place)"
           " ORDER BY v.place"},
    [DIALECT_FILING_NUMBERS_OF] =
        {NULL, "SELECT (SELECT f.no FROM filing f WHERE f.id = v.id)"
               " FROM json_array_elements_text(CAST($1 AS JSON)) WITH ORDINALITY AS v (id, place)"
               " ORDER BY v.place"},
    [DIALECT_FILING_NUMBERS] =
        {"WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1)"
         " SELECT coalesce((SELECT max(no) FROM filing), 0) + i FROM n",
         "SELECT nextval(pg_get_serial_sequence('filing', 'no'))"
         " FROM generate_series(1, CAST($1 AS BIGINT))"},
    [DIALECT_MONTH_COUNT_ADD] =
        {NULL, "INSERT INTO month_count (month, kind, caller, used)"
               " SELECT CAST(d.value ->> 0 AS BIGINT), d.value ->> 1, decode(d.value ->> 2, 'hex'),"
               " CAST(d.value ->> 3 AS BIGINT)"
               " FROM json_array_elements(CAST($1 AS JSON)) WITH ORDINALITY AS d (value, place)"
               " ORDER BY d.place ON CONFLICT (month, kind, caller)"
               " DO UPDATE SET used = month_count.used + excluded.used RETURNING caller, used"},
    [DIALECT_SIZE] =
        {"SELECT sqlite_version(), c.page_count * s.page_size, f.freelist_count * s.page_size"
         " FROM pragma_page_count c, pragma_page_size s, pragma_freelist_count f",
         "SELECT current_setting('server_version'), pg_database_size(current_database()),"
         " CAST(NULL AS BIGINT)"},
    [DIALECT_VITALS] =
        {NULL, "SELECT CAST(pg_is_in_recovery() AS INT),"
               " CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT),"
               " CAST(greatest(0, least(CASE WHEN d.datconnlimit >= 0"
               " THEN d.datconnlimit - s.numbackends END,"
               " CAST(current_setting('max_connections') AS INT)"
               " - CAST(current_setting('superuser_reserved_connections') AS INT)"
               " - CAST(coalesce(current_setting('reserved_connections', true), '0') AS INT)"
               " - (SELECT sum(numbackends) FROM pg_catalog.pg_stat_database))) AS BIGINT)"
               " FROM pg_catalog.pg_database d"
               " JOIN pg_catalog.pg_stat_database s ON s.datid = d.oid"
               " WHERE d.datname = current_database()"},
    [DIALECT_COMMIT_WAIT] =
        {NULL, "SELECT (SELECT CAST(max(extract(epoch FROM clock_timestamp() - state_change))"
               " * 1000 AS BIGINT) FROM pg_catalog.pg_stat_activity WHERE wait_event = 'SyncRep'),"
               " CASE WHEN NOT pg_is_in_recovery()"
               " AND current_setting('synchronous_standby_names') <> ''"
               " AND current_setting('synchronous_commit') NOT IN ('off', 'local')"
               " AND NOT EXISTS (SELECT 1 FROM pg_catalog.pg_stat_replication)"
               " THEN 1 ELSE 0 END"},
    [DIALECT_TABLE_SIZES] =
        {TABLE_SIZES_SQLITE,
         "SELECT c.relname, CAST(greatest(c.reltuples, coalesce(s.n_live_tup, 0), 0) AS BIGINT),"
         " pg_total_relation_size(c.oid) FROM pg_catalog.pg_class c"
         " JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
         " LEFT JOIN pg_catalog.pg_stat_user_tables s ON s.relid = c.oid"
         " WHERE n.nspname = 'stockact' AND c.relkind = 'r'"},
    [DIALECT_COPY_LOCK] =
        {NULL, "SELECT CASE WHEN pg_try_advisory_lock(1400127845) THEN 1 ELSE 0 END"},
    [DIALECT_COLUMNS] =
        {"SELECT t.name, c.name, lower(c.type), c.pk FROM sqlite_schema t,"
         " pragma_table_info(t.name) c WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite~_%'"
         " ESCAPE '~' ORDER BY t.name, c.name",
         "SELECT CAST(c.relname AS TEXT), CAST(a.attname AS TEXT), format_type(a.atttypid, NULL),"
         " coalesce((SELECT k.place FROM unnest(CAST(i.indkey AS SMALLINT[])) WITH ORDINALITY"
         " AS k (attnum, place) WHERE k.attnum = a.attnum), 0)"
         " FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace"
         " JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0"
         " AND NOT a.attisdropped"
         " LEFT JOIN pg_catalog.pg_index i ON i.indrelid = c.oid AND i.indisprimary"
         " WHERE n.nspname = 'stockact' AND c.relkind = 'r'"
         " ORDER BY c.relname COLLATE \"C\", a.attname COLLATE \"C\""},
    [DIALECT_FOREIGN_KEYS] =
        {NULL,
         "SELECT CAST(r.relname AS TEXT),"
         " format('ALTER TABLE %I DROP CONSTRAINT %I', r.relname, c.conname),"
         " format('ALTER TABLE %I ADD CONSTRAINT %I %s', r.relname, c.conname,"
         " pg_get_constraintdef(c.oid)),"
         " format('ALTER TABLE %I ADD CONSTRAINT %I %s DEFERRABLE INITIALLY DEFERRED', r.relname,"
         " c.conname, pg_get_constraintdef(c.oid)),"
         " format('ALTER TABLE %I ALTER CONSTRAINT %I NOT DEFERRABLE', r.relname, c.conname)"
         " FROM pg_catalog.pg_constraint c JOIN pg_catalog.pg_class r ON r.oid = c.conrelid"
         " JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace"
         " WHERE n.nspname = 'stockact' AND c.contype = 'f' ORDER BY r.relname, c.conname"},
    [DIALECT_PLAIN_INDEXES] =
        {NULL, "SELECT CAST(r.relname AS TEXT), format('DROP INDEX %I', i.relname),"
               " pg_get_indexdef(x.indexrelid) FROM pg_catalog.pg_index x"
               " JOIN pg_catalog.pg_class i ON i.oid = x.indexrelid"
               " JOIN pg_catalog.pg_class r ON r.oid = x.indrelid"
               " JOIN pg_catalog.pg_namespace n ON n.oid = r.relnamespace"
               " WHERE n.nspname = 'stockact' AND NOT x.indisunique ORDER BY i.relname"},
};

const char *dialect_text(enum db_kind kind, enum dialect dialect)
{
    assert(dialect < DIALECT_COUNT);
    return texts[dialect][kind == DB_POSTGRESQL];
}
