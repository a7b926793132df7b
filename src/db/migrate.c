/* Runs the migrations; see migrate.h. */
#include "db/migrate.h"

#include <assert.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/codec.h"
#include "base/progress_hook.h"
#include "db/dialect.h"
#include "db/migrate_chain.h"
#include "db/migrate_details.h"
#include "db/row_digest.h"

/* Older programs beside a newer schema. */

/* The oldest program that can use the database after step `number`, as the newest step it knows.
 * `text` is that of the step. */
static int migrate_usable_from(struct str text, int number)
{
    static const struct str words = STR_INIT("usable from ");
    ptrdiff_t at = str_find(text, words);
    if (at < 0)
        return number;
    int ret = 0;
    for (size_t i = (size_t)at + words.n; i < text.n && text.p[i] >= '0' && text.p[i] <= '9'; i++)
        ret = 10 * ret + (text.p[i] - '0');
    return ret;
}

/* Heartbeats in this database by the clock that all nodes share. A row of a restored backup is not
 * of this place. */
static enum err look(
    struct db *db, struct arena *arena, int64_t *ret_now, struct str *ret_place, struct fail *fail)
{
    *ret_now = 0;
    *ret_place = STR_NULL;
    QUERY(q, db, dialect_text(db_kind(db), DIALECT_NODE_CLOCK));
    if (query_row(&q)) {
        *ret_now = query_get_i64(&q, 0);
        *ret_place = query_text(&q, 1, arena);
    }
    return query_end(&q, fail);
}

/* ERR_REFUSED: a running server's program does not know step `usable_from`. Ignored for an SQLite
 * file, whose only server is the caller. */
static enum err migrate_check_servers(struct db *db, int usable_from, struct fail *fail)
{
    const char *sql = dialect_text(db_kind(db), DIALECT_NODE_OLDER);
    ARENA_SCOPED(arena);
    struct str place, label = STR_NULL;
    int64_t now, count = 0;
    if (!sql)
        return OK;
    TRY(look(db, &arena, &now, &place, fail));
    QUERY(q, db, sql, V(now - DB_NODE_GONE_MS), V(now + DB_NODE_GONE_MS), V(place), V(usable_from));
    while (query_row(&q))
        if (count++ == 0)
            label = query_text(&q, 0, &arena);
    TRY(query_end(&q, fail));
    if (count)
        return fail_set(
            fail, ERR_REFUSED,
            "%.*s: %lld running server%s could not use the database after this upgrade (%.*s%s): "
            "stop %s first",
            STR_ARG(db_name(db)), (long long)count, count == 1 ? "" : "s", STR_ARG(label),
            count == 1 ? "" : ", ...", count == 1 ? "it" : "them");
    return OK;
}

static enum err migrate_online_leave(struct db *db, enum err err, struct fail *fail) MUST_CHECK;

/* Steps beside writers. */

enum {
    POLL_US = 50000,
    WAIT_MAX_MS = 120000, /* for another process, which may hang */
};

#define LOCK "1400127844"
#define LIMITS(statement_ms, lock_ms)                                                              \
    "SET statement_timeout = " #statement_ms "; SET lock_timeout = " #lock_ms

static_assert(
    DB_STATEMENT_TIMEOUT_MS == 600000 && DB_BUSY_TIMEOUT_MS == 5000, "migrate_online_leave");

static bool migrate_is_online(const struct db *db, struct str text)
{
    return db_kind(db) == DB_POSTGRESQL && str_find(text, STR("{online}")) >= 0;
}

/* In short statements: an index made beside writers waits for the end of every open one, also of
 * one that waits for the same lock. */
static enum err migrate_online_enter(struct db *db, struct fail *fail)
{
    int64_t until_ms = clock_mono_ms() + WAIT_MAX_MS;
    for (;;) {
        bool locked = false;
        QUERY(q, db, "SELECT CASE WHEN pg_try_advisory_lock(" LOCK ") THEN 1 ELSE 0 END");
        if (query_row(&q))
            locked = query_get_i64(&q, 0) != 0;
        TRY(query_end(&q, fail));
        if (locked)
            return db_exec(db, LIMITS(0, 0), fail);
        if (clock_mono_ms() >= until_ms)
            return fail_set(
                fail, ERR_BUSY, "%.*s: another process has been migrating this database for %d s",
                STR_ARG(db_name(db)), WAIT_MAX_MS / 1000);
        usleep(POLL_US);
    }
}

/* Returns err, or else the error of leaving. */
static enum err migrate_online_leave(struct db *db, enum err err, struct fail *fail)
{
    struct fail unused;
    enum err limits_err = db_exec(db, LIMITS(600000, 5000), err ? &unused : fail);
    QUERY(q, db, "SELECT CASE WHEN pg_advisory_unlock(" LOCK ") THEN 1 ELSE 0 END");
    query_row(&q);
    enum err leave_err = query_end(&q, err || limits_err ? &unused : fail);
    return err ? err : limits_err ? limits_err : leave_err;
}

enum {
    STATEMENT_SIZE_MAX = 16384,
    CHECKSUM_TEXT_SIZE = 2 * SHA256_SIZE,
    /* For tables that servers use, and for another process that migrates. */
    PATIENCE_MS = 120000,
    PAUSE_US = 200000,
};

/* The texts of the steps, src/store/schema/NNNN-*.sql: the list in meson.build, embedded. */
extern const char *const migrate_texts[];
extern const size_t migrate_texts_count;

int migrate_latest(void)
{
    return (int)migrate_texts_count;
}

/* The checksum covers the text as written, tokens included, so it is the same on both databases. */
static void step_checksum(int number, char ret[static CHECKSUM_TEXT_SIZE])
{
    uint8_t digest[SHA256_SIZE];
    sha256(str_from(migrate_texts[number - 1]), digest);
    hex_encode(digest, sizeof digest, ret);
}

/*
 * Tokens replace the parts that differ between the two databases:
 *
 *     {id}      number of a row, given by the database
 *     {int} {text} {blob}     64 bits; text that is compared by its bytes; bytes
 *     {strict}  values must be of their column's type, which PostgreSQL's always are
 *     {one_of COLUMN A B}     (COLUMN = 'A' OR COLUMN = 'B'): for IN, SQLite would build a table at
 *                             every insert, at twice the cost of the insert itself
 *     {append_only TABLE}     triggers that refuse UPDATE and DELETE
 *     {unseal TABLE A B}      a trigger that takes the digest (db/row_digest.h) from a row of which
 *                             A or B changes without it; may span lines
 *     {next_number TABLE}     continues the numbers of a table that was filled with numbered rows
 *     {online}                of an index: made beside writers; its step runs outside a transaction
 */

struct dialect_token {
    struct str name;
    const char *text[2]; /* SQLite, PostgreSQL */
};

static const struct dialect_token tokens[] = {
    {STR_INIT("id"),
     {"INTEGER PRIMARY KEY", "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"}},
    {STR_INIT("int"), {"INTEGER", "BIGINT"}},
    {STR_INIT("text"), {"TEXT", "TEXT COLLATE \"C\""}},
    {STR_INIT("blob"), {"BLOB", "BYTEA"}},
    {STR_INIT("strict"), {"STRICT", ""}},
    {STR_INIT("online"), {"", "CONCURRENTLY"}},
};

static void put_refusal(struct buf *sql, struct str table, const char *name, const char *verb)
{
    buf_fmt(
        sql,
        "CREATE TRIGGER %.*s_no_%s BEFORE %s ON %.*s BEGIN"
        " SELECT RAISE(ABORT, '%.*s is only appended to'); END;",
        STR_ARG(table), name, verb, STR_ARG(table), STR_ARG(table));
}

static void put_append_only(struct buf *sql, enum db_kind kind, struct str table)
{
    if (kind == DB_SQLITE) {
        put_refusal(sql, table, "update", "UPDATE");
        put_refusal(sql, table, "delete", "DELETE");
    } else {
        buf_fmt(
            sql,
            "CREATE OR REPLACE FUNCTION %.*s_refuse() RETURNS trigger LANGUAGE plpgsql AS $body$ "
            "BEGIN"
            " RAISE EXCEPTION '%.*s is only appended to'; END $body$;"
            "CREATE TRIGGER %.*s_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON %.*s"
            " FOR EACH STATEMENT EXECUTE FUNCTION %.*s_refuse()",
            STR_ARG(table), STR_ARG(table), STR_ARG(table), STR_ARG(table), STR_ARG(table));
    }
}

enum err migrate_lift_append_only(struct db *db, struct str table, bool lifted, struct fail *fail)
{
    BUF_SCOPED(sql, STATEMENT_SIZE_MAX);
    if (db_kind(db) == DB_POSTGRESQL)
        buf_fmt(
            &sql, "ALTER TABLE %.*s %s TRIGGER %.*s_append_only", STR_ARG(table),
            lifted ? "DISABLE" : "ENABLE", STR_ARG(table));
    else if (lifted)
        buf_fmt(&sql, "DROP TRIGGER %.*s_no_update", STR_ARG(table));
    else
        put_refusal(&sql, table, "update", "UPDATE");
    buf_char(&sql, '\0');
    return db_exec(db, sql.p, fail);
}

/* SQLite gives the highest number plus one by itself. */
static void put_next_number(struct buf *sql, enum db_kind kind, struct str table)
{
    if (kind == DB_SQLITE)
        buf_text(sql, "SELECT 1");
    else
        buf_fmt(
            sql,
            "SELECT setval(pg_get_serial_sequence('%.*s', 'no'),"
            " (SELECT coalesce(max(no), 0) + 1 FROM %.*s), false)",
            STR_ARG(table), STR_ARG(table));
}

/* "COLUMN A B", may span lines */
static void put_one_of(struct buf *sql, struct str words)
{
    struct str column, name;
    str_split(&words, ' ', &column);
    for (const char *before = "("; str_split(&words, ' ', &name);) {
        name = str_trim(name);
        if (name.n == 0)
            continue;
        buf_fmt(sql, "%s%.*s = '%.*s'", before, STR_ARG(column), STR_ARG(name));
        before = " OR ";
    }
    buf_char(sql, ')');
}

static void put_columns(struct buf *sql, const char *of, struct str columns)
{
    const char *before = "(";
    for (struct str name; str_split(&columns, ' ', &name);) {
        name = str_trim(name);
        if (name.n == 0)
            continue;
        buf_fmt(sql, "%s%s.%.*s", before, of, STR_ARG(name));
        before = ", ";
    }
    buf_char(sql, ')');
}

/* "TABLE A B" */
static void put_unseal(struct buf *sql, enum db_kind kind, struct str columns)
{
    bool sqlite = kind == DB_SQLITE;
    struct str table;
    str_split(&columns, ' ', &table);
    if (!sqlite)
        buf_text(
            sql, "CREATE OR REPLACE FUNCTION unseal() RETURNS trigger LANGUAGE plpgsql AS $body$ "
                 "BEGIN NEW.digest := NULL; RETURN NEW; END $body$;");
    buf_fmt(
        sql,
        "CREATE TRIGGER %.*s_unseal %s UPDATE ON %.*s FOR EACH ROW WHEN (OLD.digest IS %s AND ",
        STR_ARG(table), sqlite ? "AFTER" : "BEFORE", STR_ARG(table),
        sqlite ? "NEW.digest" : "NOT DISTINCT FROM NEW.digest");
    put_columns(sql, "OLD", columns);
    buf_text(sql, sqlite ? " IS NOT " : " IS DISTINCT FROM ");
    put_columns(sql, "NEW", columns);
    buf_text(sql, sqlite ? ") BEGIN " : ") EXECUTE FUNCTION unseal()");
    if (sqlite)
        buf_fmt(sql, "UPDATE %.*s SET digest = NULL WHERE rowid = NEW.rowid; END", STR_ARG(table));
}

static void put_token(struct buf *sql, enum db_kind kind, struct str token)
{
    static const struct str unseal = STR_INIT("unseal ");
    static const struct str append_only = STR_INIT("append_only "), one_of = STR_INIT("one_of "),
                            next_number = STR_INIT("next_number ");
    if (str_starts(token, one_of)) {
        put_one_of(sql, str_slice(token, one_of.n, token.n));
        return;
    }
    if (str_starts(token, unseal)) {
        put_unseal(sql, kind, str_slice(token, unseal.n, token.n));
        return;
    }
    if (str_starts(token, append_only)) {
        put_append_only(sql, kind, str_slice(token, append_only.n, token.n));
        return;
    }
    if (str_starts(token, next_number)) {
        put_next_number(sql, kind, str_slice(token, next_number.n, token.n));
        return;
    }
    for (size_t i = 0; i < sizeof tokens / sizeof *tokens; i++) {
        if (str_eq(tokens[i].name, token)) {
            buf_text(sql, tokens[i].text[kind == DB_POSTGRESQL]);
            return;
        }
    }
    assert(!"a token that there is");
}

/* Returns a statement in the database's own dialect, NUL-terminated. */
static void put_statement(struct buf *sql, enum db_kind kind, struct str text)
{
    ptrdiff_t open;
    while ((open = str_find_char(text, '{')) >= 0) {
        buf_put(sql, text.p, (size_t)open);
        text = str_slice(text, (size_t)open + 1, text.n);
        ptrdiff_t close = str_find_char(text, '}');
        assert(close > 0);
        put_token(sql, kind, str_slice(text, 0, (size_t)close));
        text = str_slice(text, (size_t)close + 1, text.n);
    }
    buf_str(sql, text);
    buf_char(sql, '\0');
    assert(!sql->overflow);
}

static enum err exec_statement(struct db *db, struct str text, struct fail *fail)
{
    BUF_SCOPED(sql, STATEMENT_SIZE_MAX);
    put_statement(&sql, db_kind(db), text);
    return db_exec(db, sql.p, fail);
}

/* Inspection */

static enum err query_count(struct db *db, const char *sql, int64_t *ret, struct fail *fail)
{
    return query_number(db, ret, fail, sql);
}

enum err migrate_check_program(struct db *db, int64_t usable_from, struct fail *fail)
{
    if (usable_from <= migrate_latest())
        return OK;
    return fail_set(
        fail, ERR_REFUSED,
        "%.*s: this database is newer than this program (it needs a program with schema %lld, and "
        "this one has %d); use a newer stockact",
        STR_ARG(db_name(db)), (long long)usable_from, migrate_latest());
}

/* A newer database has every step of this program, and so the column `usable_from`. */
static enum err check_newer(struct db *db, struct fail *fail)
{
    int64_t usable_from = 0;
    TRY(query_number(
        db, &usable_from, fail,
        "SELECT max(coalesce(usable_from, number)) FROM migration WHERE number > $1",
        V(migrate_latest())));
    return migrate_check_program(db, usable_from, fail);
}

static enum err compare_steps(struct db *db, int *ret_found, bool *ret_newer, struct fail *fail)
{
    QUERY(q, db, "SELECT number, checksum FROM migration ORDER BY number");
    int latest = migrate_latest(), found = 0;
    bool differs = false, newer = false;
    while (query_row(&q)) {
        int64_t number = query_get_i64(&q, 0);
        if (number > latest) {
            newer = true;
            continue;
        }
        char checksum[CHECKSUM_TEXT_SIZE];
        found++;
        if (number != found) {
            differs = true;
            continue;
        }
        step_checksum(found, checksum);
        if (!str_eq(query_get_str(&q, 1), str_of(checksum, sizeof checksum)))
            differs = true;
    }
    TRY(query_end(&q, fail));
    if (differs || (newer && found < latest))
        return fail_set(
            fail, ERR_CORRUPT,
            "%.*s: its schema was not made by a released version of this program",
            STR_ARG(db_name(db)));
    *ret_found = found;
    *ret_newer = newer;
    return newer ? check_newer(db, fail) : OK;
}

/* *ret_found: number of this program's steps that are applied; -1: the database is empty.
 * *ret_newer: it has others too, which this program need not know. */
static enum err inspect(struct db *db, int *ret_found, bool *ret_newer, struct fail *fail)
{
    int64_t ours = 0, tables = 0;
    *ret_newer = false;
    /* In this order: another process may apply the first step between the two. */
    TRY(query_count(db, dialect_text(db_kind(db), DIALECT_TABLES), &tables, fail));
    TRY(query_count(db, dialect_text(db_kind(db), DIALECT_IS_MIGRATED), &ours, fail));
    if (ours)
        return compare_steps(db, ret_found, ret_newer, fail);
    if (tables)
        return fail_set(
            fail, ERR_REFUSED, "%.*s: this is the database of another program",
            STR_ARG(db_name(db)));
    *ret_found = -1;
    return OK;
}

enum err migrate_inspect(struct db *db, enum migrate_state *ret, struct fail *fail)
{
    int found = 0;
    bool newer;
    TRY(inspect(db, &found, &newer, fail));
    *ret = found < 0                   ? MIGRATE_EMPTY
           : newer                     ? MIGRATE_NEWER
           : found == migrate_latest() ? MIGRATE_CURRENT
                                       : MIGRATE_OLDER;
    return OK;
}

enum err migrate_applied(struct db *db, int *ret, struct fail *fail)
{
    int64_t number = 0;
    enum err err = query_count(db, "SELECT max(number) FROM migration", &number, fail);
    *ret = (int)number;
    return err;
}

/* Running */

static enum err create(struct db *db, struct fail *fail)
{
    TRY(db_exec(db, dialect_text(db_kind(db), DIALECT_CREATED), fail));
    return exec_statement(
        db,
        STR("CREATE TABLE migration (number {int} PRIMARY KEY, checksum {text} NOT NULL)"
            " {strict}"),
        fail);
}

/* Rows that a program wrote before their kind had digests. */
static enum err seal_rows(struct db *db, const struct progress_hook *progress, struct fail *fail)
{
    return row_seal_all(db, ROW_DIGEST_SEALED, ROW_DIGEST_COUNT - 1, fail);
}

/* A signal has the instant of the publication that it came with; a clock could be behind it. */
static enum err date_signals(struct db *db, const struct progress_hook *progress, struct fail *fail)
{
    TRY(migrate_lift_append_only(db, STR("finding_history"), true, fail));
    TRY(query_run(
        db, fail,
        "UPDATE finding_history SET at = (SELECT p.at FROM trade t JOIN publication p"
        " ON p.no = t.publication_no WHERE t.no = finding_history.trade_no) WHERE no NOT IN"
        " (SELECT history_no FROM change_log WHERE history_no IS NOT NULL)"));
    return migrate_lift_append_only(db, STR("finding_history"), false, fail);
}

/* Runs what a step does beside its text. */
static enum err run_code(
    struct db *db, int number, const struct progress_hook *progress, struct fail *fail)
{
    static const struct {
        int number;
        enum err (*run)(struct db *db, const struct progress_hook *progress, struct fail *fail);
    } steps[] = {{14, migrate_details}, {15, migrate_chain}, {51, seal_rows}, {52, date_signals}};
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (steps[i].number == number)
            return steps[i].run(db, progress, fail);
    return OK;
}

static enum err exec_text(struct db *db, int number, struct fail *fail)
{
    static const struct str statement_end = STR_INIT(";\n");
    struct str rest = str_from(migrate_texts[number - 1]);
    enum err err = OK;
    for (ptrdiff_t end; !err && (end = str_find(rest, statement_end)) >= 0;) {
        err = exec_statement(db, str_slice(rest, 0, (size_t)end), fail);
        rest = str_slice(rest, (size_t)end + statement_end.n, rest.n);
    }
    return err;
}

static enum err record(struct db *db, int number, struct fail *fail)
{
    int usable_from = migrate_usable_from(str_from(migrate_texts[number - 1]), number);
    char checksum[CHECKSUM_TEXT_SIZE];
    step_checksum(number, checksum);
    enum err err = query_run(
        db, fail, "INSERT INTO migration (number, checksum) VALUES ($1, $2)", V(number),
        V(str_of(checksum, sizeof checksum)));
    if (err || usable_from == number)
        return err;
    return query_run(
        db, fail, "UPDATE migration SET usable_from = $2 WHERE number = $1", V(number),
        V(usable_from));
}

static bool is_online(const struct db *db, int number)
{
    return number >= 1 && number <= migrate_latest() &&
           migrate_is_online(db, str_from(migrate_texts[number - 1]));
}

static enum err check_servers(struct db *db, int number, struct fail *fail)
{
    struct str text = str_from(migrate_texts[number - 1]);
    return number == 1 ? OK : migrate_check_servers(db, migrate_usable_from(text, number), fail);
}

/* Runs the text of the next step if it is an online one. *ret_held: the caller must call
 * migrate_online_leave after the step is recorded. */
static enum err run_online(struct db *db, int last, bool *ret_held, struct fail *fail)
{
    int found = 0;
    bool newer;
    *ret_held = false;
    enum err err = inspect(db, &found, &newer, fail);
    if (err || found >= last || !is_online(db, found + 1))
        return err;
    TRY(migrate_online_enter(db, fail));
    *ret_held = true;
    int before = found;
    err = inspect(db, &found, &newer, fail);
    if (err || found != before)
        return err;
    TRY(check_servers(db, found + 1, fail));
    return exec_text(db, found + 1, fail);
}

/* A database that was created and got no data yet has no mark of its data. */
static enum err note_upgrade(struct db *db, int from, struct fail *fail)
{
    return from <= 0 ? OK
                     : query_run(
                           db, fail,
                           "INSERT INTO meta (name, value) SELECT '" MIGRATE_UPGRADED_FROM
                           "', CAST($1 AS TEXT) FROM meta WHERE name = 'data' ON CONFLICT (name) "
                           "DO NOTHING",
                           V(from));
}

/* Applies one step, or none when all up to `last` are applied. Another process may have been
 * faster, so the state is read again under the lock. `held`: it is an online step, whose text has
 * run. */
static enum err run_next(
    struct db *db, int last, bool held, const struct progress_hook *progress, bool *ret_more,
    int *ran_steps, struct fail *fail)
{
    const char *lock = dialect_text(db_kind(db), DIALECT_MIGRATE_LOCK);
    enum err err = db_begin(db, fail);
    if (err)
        return err;
    int found = 0;
    bool newer;
    if (lock)
        err = db_exec(db, lock, fail);
    if (!err)
        err = inspect(db, &found, &newer, fail);
    *ret_more = !err && found < last;
    bool run = *ret_more && is_online(db, found + 1) == held;
    if (!err && found < 0) {
        err = create(db, fail);
        found = 0;
    }
    if (!err && run && !held)
        err = check_servers(db, found + 1, fail);
    if (!err && run && !held)
        err = exec_text(db, found + 1, fail);
    if (!err && run)
        err = run_code(db, found + 1, progress, fail);
    if (!err && run)
        err = record(db, found + 1, fail);
    if (!err && run)
        err = note_upgrade(db, found, fail);
    if (err || !run) {
        db_rollback(db);
        return err;
    }
    *ran_steps += 1;
    return db_commit(db, fail);
}

enum err migrate_run(
    struct db *db, int last, const struct progress_hook *progress, int *ret_steps,
    struct fail *fail)
{
    int ran_steps = 0, found = 0;
    bool newer;
    int64_t began_ms = clock_mono_ms();
    enum err err = inspect(db, &found, &newer, fail);
    int total = last - (found > 0 ? found : 0);
    for (bool more = true; more && !err;) {
        bool held = false;
        progress_enter(progress, MIGRATE_STEPS, total);
        progress_tell(progress, ran_steps, total);
        err = run_online(db, last, &held, fail);
        if (!err)
            err = run_next(db, last, held, progress, &more, &ran_steps, fail);
        if (held)
            err = migrate_online_leave(db, err, fail);
        if (err == ERR_BUSY && db_kind(db) == DB_POSTGRESQL &&
            clock_mono_ms() - began_ms < PATIENCE_MS) {
            usleep(PAUSE_US);
            more = true;
            err = OK;
        }
    }
    if (err)
        return err;
    if (ret_steps)
        *ret_steps = ran_steps;
    return OK;
}
