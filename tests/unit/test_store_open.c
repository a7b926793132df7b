/* Opening, migrating, locking and copying, and the errors for bad databases, on SQLite and
 * PostgreSQL. */
#include "store_fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <sqlite3.h>

#include "base/crypto.h"
#include "db/backup.h"
#include "db/dialect.h"
#include "db/migrate.h"
#include "progress_seen.h"
#include "store/account/delivery.h"
#include "store/account/endpoint_health.h"
#include "store/account/key.h"
#include "store/account/key_usage.h"
#include "store/check/check.h"
#include "store/desk/draft_row.h"
#include "store/public/event.h"
#include "store/public/trade.h"
#include "store/row/change.h"
#include "store/row/meta.h"
#include "store/run/upgrade.h"

enum { OPENERS = 4, NOBODY = 65534 };

static void skip_unless(bool condition)
{
    if (!condition)
        skip();
}

static const char *path_in(struct store_fixture *f, const char *name)
{
    /* Texts with a length: gcc's sanitizer build warns that a %s may be null. */
    struct str folder = str_from(f->folder), file = str_from(name);
    return arena_fmt(&f->arena, "%.*s/%.*s", STR_ARG(folder), STR_ARG(file)).p;
}

static enum err open_path(struct store_fixture *f, const char *path, enum store_mode mode)
{
    struct db *db;
    struct str url = arena_fmt(&f->arena, "sqlite:%s", path);
    enum err err = store_open(url, mode, &db, &f->fail);
    if (!err)
        db_close(db);
    return err;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void digest_file(const char *path, uint8_t ret[static SHA256_SIZE])
{
    static char bytes[1 << 20];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    sha256(str_of(bytes, n), ret);
}

/* Files */

static void missing_database_is_named_and_not_created(void **state)
{
    struct store_fixture *f = *state;
    skip_unless(!store_fixture_is_postgresql());
    const char *path = path_in(f, "missing.db");
    assert_int_equal(open_path(f, path, STORE_WRITE), ERR_NOT_FOUND);
    assert_non_null(strstr(f->fail.text, "missing.db"));
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(open_path(f, path_in(f, "no/folder.db"), STORE_MIGRATE), ERR_IO);
    assert_int_equal(open_path(f, f->folder, STORE_WRITE), ERR_IO);
}

static void new_database_is_readable_by_owner_only(void **state)
{
    struct store_fixture *f = *state;
    skip_unless(!store_fixture_is_postgresql());
    assert_ok(f, store_open(store_fixture_url(f), STORE_MIGRATE, &f->db, &f->fail));
    struct stat st;
    assert_int_equal(stat(path_in(f, "test.db"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    assert_int_equal(stat(path_in(f, "test.db-wal"), &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
}

static void other_file_is_unchanged(void **state)
{
    struct store_fixture *f = *state;
    skip_unless(!store_fixture_is_postgresql());
    const char *path = path_in(f, "test.db");
    uint8_t before[SHA256_SIZE], after[SHA256_SIZE];
    write_file(
        path, "This is a letter to a friend, long enough to be taken for a database file, "
              "and then some more of it so that it has more than a hundred bytes.\n");
    digest_file(path, before);
    assert_int_equal(open_path(f, path, STORE_MIGRATE), ERR_CORRUPT);
    digest_file(path, after);
    assert_memory_equal(before, after, sizeof before);
}

static void foreign_database_is_unchanged(void **state)
{
    struct store_fixture *f = *state;
    skip_unless(!store_fixture_is_postgresql());
    static const char *const foreign[] = {
        "CREATE TABLE letter (text TEXT)",
        "CREATE TABLE migration (number INTEGER, checksum TEXT)",
        "PRAGMA application_id = 5; CREATE TABLE t (a); DROP TABLE t",
    };
    const char *path = path_in(f, "test.db");
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        uint8_t before[SHA256_SIZE], after[SHA256_SIZE];
        sqlite3 *other;
        unlink(path);
        assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
        assert_int_equal(sqlite3_exec(other, foreign[i], NULL, NULL, NULL), SQLITE_OK);
        sqlite3_close(other);
        digest_file(path, before);
        assert_int_equal(open_path(f, path, STORE_MIGRATE), ERR_REFUSED);
        assert_non_null(strstr(f->fail.text, "another program"));
        digest_file(path, after);
        assert_memory_equal(before, after, sizeof before);
    }
}

static void read_only_file_is_reported(void **state)
{
    struct store_fixture *f = *state;
    skip_unless(!store_fixture_is_postgresql());
    assert_int_equal(open_path(f, path_in(f, "test.db"), STORE_MIGRATE), OK);
    assert_int_equal(chmod(path_in(f, "test.db"), 0444), 0);
    assert_int_equal(chmod(f->folder, 0555), 0);
    pid_t pid = fork();
    if (pid == 0) {
        if (getuid() == 0 && setuid(NOBODY) != 0)
            _exit(2);
        enum err err = open_path(f, path_in(f, "test.db"), STORE_WRITE);
        _exit(err == ERR_IO && strstr(f->fail.text, "read-only") ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(chmod(f->folder, 0755), 0);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void locked_database_is_busy_not_broken(void **state)
{
    struct store_fixture *f = *state;
    skip_unless(!store_fixture_is_postgresql());
    assert_ok(f, store_open(store_fixture_url(f), STORE_MIGRATE, &f->db, &f->fail));
    assert_ok(f, db_begin(f->db, &f->fail));
    struct db *other;
    const struct db_options options = {.busy_timeout_ms = 20};
    assert_ok(f, db_open(store_fixture_url(f), &options, &other, &f->fail));
    assert_int_equal(db_begin(other, &f->fail), ERR_BUSY);
    assert_non_null(strstr(f->fail.text, "another process"));
    db_rollback(f->db);
    assert_ok(f, db_begin(other, &f->fail));
    db_close(other);
}

static void file_is_locked_by_one_server(void **state)
{
    struct store_fixture *f = *state;
    skip_unless(!store_fixture_is_postgresql());
    assert_int_equal(open_path(f, path_in(f, "test.db"), STORE_MIGRATE), OK);
    assert_int_equal(symlink(path_in(f, "test.db"), path_in(f, "alias.db")), 0);
    struct str alias = arena_fmt(&f->arena, "sqlite:%s", path_in(f, "alias.db"));
    struct store_lock *first, *second;
    assert_ok(f, store_lock_server(store_fixture_url(f), &first, &f->fail));
    assert_int_equal(store_lock_server(store_fixture_url(f), &second, &f->fail), ERR_BUSY);
    assert_non_null(strstr(f->fail.text, "another server"));
    assert_int_equal(store_lock_server(alias, &second, &f->fail), ERR_BUSY);
    assert_int_equal(
        open_path(f, path_in(f, "test.db"), STORE_WRITE), OK); /* a command at the same time */
    store_unlock_server(first);
    assert_ok(f, store_lock_server(alias, &second, &f->fail));
    store_unlock_server(second);
    unlink(path_in(f, "alias.db"));
}

/* The schema, on both databases */

static void empty_database_is_created_only_on_request(void **state)
{
    struct store_fixture *f = *state;
    if (!store_fixture_is_postgresql())
        write_file(path_in(f, "test.db"), "");
    assert_int_equal(
        store_open(store_fixture_url(f), STORE_WRITE, &f->db, &f->fail), ERR_NOT_FOUND);
    assert_ok(f, store_open(store_fixture_url(f), STORE_MIGRATE, &f->db, &f->fail));
    enum migrate_state now;
    int steps = -1;
    assert_ok(f, migrate_inspect(f->db, &now, &f->fail));
    assert_int_equal(now, MIGRATE_CURRENT);
    assert_ok(f, migrate_run(f->db, migrate_latest(), NULL, &steps, &f->fail));
    assert_int_equal(steps, 0);
    assert_int_equal(
        store_fixture_number(f, "SELECT max(number) FROM migration"), migrate_latest());
}

static void migrations_tell_their_steps(void **state)
{
    struct store_fixture *f = *state;
    struct progress_seen seen = {.phase = 0};
    const struct progress_hook hook = progress_seen_hook(&seen);
    assert_ok(f, store_migrate(store_fixture_url(f), &hook, &f->db, &f->fail));
    assert_phase_ended(&seen, MIGRATE_STEPS, migrate_latest());
    assert_int_equal(seen.phases[MIGRATE_ROWS].entered, 2); /* of the steps 14 and 15 */
}

static void alter_and_reopen(struct store_fixture *f, const char *sql, enum err expected)
{
    assert_ok(f, store_open(store_fixture_url(f), STORE_MIGRATE, &f->db, &f->fail));
    assert_ok(f, db_exec(f->db, sql, &f->fail));
    db_close(f->db);
    f->db = NULL;
    struct db *db;
    assert_int_equal(store_open(store_fixture_url(f), STORE_WRITE, &db, &f->fail), expected);
}

static void newer_database_is_refused(void **state)
{
    struct store_fixture *f = *state;
    alter_and_reopen(f, "INSERT INTO migration (number, checksum) VALUES (9999, 'x')", ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "newer"));
    assert_non_null(strstr(f->fail.text, "9999"));
    assert_null(strchr(f->fail.text, '\n'));
}

static void newer_database_that_shuts_nobody_out_is_opened(void **state)
{
    struct store_fixture *f = *state;
    static const enum store_mode modes[] = {STORE_READ, STORE_WRITE, STORE_MIGRATE};
    int applied;
    enum migrate_state now;
    struct str sql = arena_fmt(
        &f->arena, "INSERT INTO migration VALUES (9998, 'x', 2), (9999, 'x', %d)",
        migrate_latest());
    assert_ok(f, store_open(store_fixture_url(f), STORE_MIGRATE, &f->db, &f->fail));
    assert_ok(f, db_exec(f->db, sql.p, &f->fail));
    for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
        db_close(f->db);
        assert_ok(f, store_open(store_fixture_url(f), modes[i], &f->db, &f->fail));
    }
    assert_ok(f, migrate_inspect(f->db, &now, &f->fail));
    assert_int_equal(now, MIGRATE_NEWER);
    assert_ok(f, migrate_applied(f->db, &applied, &f->fail));
    assert_int_equal(applied, 9999);
}

static void newer_database_without_steps_of_this_program_is_corrupt(void **state)
{
    struct store_fixture *f = *state;
    alter_and_reopen(
        f,
        "INSERT INTO migration VALUES (9999, 'x', 1);"
        "DELETE FROM migration WHERE number BETWEEN 5 AND 9998",
        ERR_CORRUPT);
}

static void older_database_error_names_migrate(void **state)
{
    struct store_fixture *f = *state;
    alter_and_reopen(f, "DELETE FROM migration", ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "stockact migrate"));
}

/* Creates a database with the first `last` migrations only. */
static void open_at_step(struct store_fixture *f, int last)
{
    const struct db_options options = {.create = true};
    assert_ok(f, db_open(store_fixture_url(f), &options, &f->db, &f->fail));
    assert_ok(f, migrate_run(f->db, last, NULL, NULL, &f->fail));
}

/* Step 34 shuts out the programs before it, of which a server still runs. */
static void step_that_shuts_out_a_running_server_is_refused(void **state)
{
    struct store_fixture *f = *state;
    skip_unless(store_fixture_is_postgresql());
    open_at_step(f, 33);
    struct str sql = arena_fmt(
        &f->arena,
        "INSERT INTO node (id, label, seq, beat_at)"
        " SELECT 'n@' || place, '127.0.0.1:1, process 2', 0, now - 4000 FROM (%s) c (now, place)",
        dialect_text(DB_POSTGRESQL, DIALECT_NODE_CLOCK));
    assert_ok(f, db_exec(f->db, sql.p, &f->fail));
    assert_int_equal(migrate_run(f->db, 34, NULL, NULL, &f->fail), ERR_REFUSED);
    assert_non_null(strstr(f->fail.text, "127.0.0.1:1, process 2"));
    assert_int_equal(store_fixture_number(f, "SELECT max(number) FROM migration"), 33);

    assert_ok(f, db_exec(f->db, "UPDATE node SET beat_at = beat_at - 3000", &f->fail));
    assert_ok(f, migrate_run(f->db, 34, NULL, NULL, &f->fail)); /* it was silent for 7 s */
}

static void migrate_drops_former_symbols_and_keeps_tickers(void **state)
{
    static const char *const statements[] = {
        "INSERT INTO ticker (symbol, company) VALUES ('NEW', 'New Inc.')",
        "INSERT INTO ticker_alias (symbol, ticker_no) SELECT 'OLD', no FROM ticker",
    };
    struct store_fixture *f = *state;
    int steps = 0;
    open_at_step(f, 6);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        assert_ok(f, db_exec(f->db, statements[i], &f->fail));
    assert_ok(f, migrate_run(f->db, 7, NULL, &steps, &f->fail));
    assert_int_equal(steps, 1);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM ticker WHERE company = 'New Inc.'"), 1);
    assert_int_not_equal(db_exec(f->db, "DROP TABLE ticker_alias", &f->fail), OK);
}

static void migrate_keeps_the_log_and_finds_trades_withdrawn_with_their_filing(void **state)
{
    static const char *const statements[] = {
        "INSERT INTO member (id, slug, name) VALUES ('m', 'robin-vale', 'Robin Vale')",
        "INSERT INTO publication (no, kind, at, by_email, filings, trades)"
        " VALUES (1, 'live', 5, 'a@example.org', 2, 4)",
        "INSERT INTO filing (id, chamber, source_doc_id, url, member_no, filed_at, state, reason,"
        " created_at, withdrawn_at) SELECT 'house-1', 'house', '1', 'u', no, 5, 'withdrawn', 'all',"
        " 5, 9 FROM member",
        "INSERT INTO filing (id, chamber, source_doc_id, url, member_no, filed_at, state,"
        " created_at, publication_no, published_at, reviewed_by) SELECT 'house-2', 'house', '2',"
        " 'u', no, 5, 'published', 5, 1, 5, 'a@example.org' FROM member",
        "INSERT INTO trade (id, filing_no, publication_no, disclosed_at, position, asset_name,"
        " side, amount_bucket, withdrawn_at, withdrawn_reason) SELECT f.id || '-000' || n.n, f.no,"
        " 1, 5, n.n, 'A', 'buy', '1k_15k', 7 + n.n, CASE n.n WHEN 2 THEN 'all' ELSE 'one' END"
        " FROM filing f CROSS JOIN (SELECT 1 AS n UNION SELECT 2) n",
        "INSERT INTO correction (kind, trade_id, at, reason, by_email)"
        " SELECT 'withdrawn', id, withdrawn_at, withdrawn_reason, 'a@example.org' FROM trade"
        " ORDER BY id",
        "INSERT INTO correction (kind, at, by_email, range_start, range_end, entries)"
        " VALUES ('backfill', 10, 'a@example.org', 1, 2, 3)",
    };
    struct store_fixture *f = *state;
    open_at_step(f, 7);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        assert_ok(f, db_exec(f->db, statements[i], &f->fail));
    assert_ok(f, migrate_run(f->db, 8, NULL, NULL, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM correction"), 5);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM correction WHERE no BETWEEN 1 AND 4 AND kind = 'withdrawn'"
               " AND filing_id = substr(trade_id, 1, 7)"),
        4);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM correction WHERE no = 5 AND kind = 'backfill' AND entries = 3"
               " AND filing_id IS NULL"),
        1);
    assert_ok(
        f, db_exec(
               f->db,
               "INSERT INTO correction (kind, filing_id, at, by_email)"
               " VALUES ('reinstated', 'house-1', 11, 'a@example.org')",
               &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT max(no) FROM correction"), 6);
    assert_int_equal(db_exec(f->db, "UPDATE correction SET at = 1", &f->fail), ERR_REFUSED);
    assert_int_equal(db_exec(f->db, "DELETE FROM correction", &f->fail), ERR_REFUSED);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM trade WHERE withdrawn_with_filing = 1"), 1);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM trade WHERE withdrawn_with_filing = 1"
               " AND id = 'house-1-0002'"),
        1);
}

static void migrate_keeps_the_names_that_trades_showed(void **state)
{
    static const char *const statements[] = {
        "INSERT INTO member (id, slug, name) VALUES ('a', 'ada', 'Ada Vale')",
        ("INSERT INTO filing (id, chamber, source_doc_id, url, member_no, filed_at, state,"
         " created_at)"
         " SELECT 'house-1', 'house', '1', 'https://x', no, 0, 'accepted', 0 FROM member"),
        ("INSERT INTO filing (id, chamber, source_doc_id, url, filed_at, state, created_at)"
         " VALUES ('house-2', 'house', '2', 'https://x', 0, 'draft', 0)"),
    };
    struct store_fixture *f = *state;
    int steps = 0;
    open_at_step(f, 8);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        assert_ok(f, db_exec(f->db, statements[i], &f->fail));
    assert_ok(f, migrate_run(f->db, 9, NULL, &steps, &f->fail));
    assert_int_equal(steps, 1);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM filing WHERE id = 'house-1' AND member_name = 'Ada Vale'"),
        1);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM filing WHERE member_name IS NULL"), 1);
}

/* What happened before step 10, in the order of time: two publications, a correction, a withdrawal,
 * and a signal that the first publication brought and a sweep changed. */
static const char *const history_before_changes[] = {
    "INSERT INTO member (id, slug, name) VALUES ('m1', 'robin-vale', 'Robin Vale')",
    "INSERT INTO publication (no, kind, at, by_email, filings, trades)"
    " VALUES (1, 'live', 100, 'e@x', 1, 2), (2, 'live', 200, 'e@x', 1, 1),"
    " (3, 'live', 300, 'e@x', 1, 0)",
    "INSERT INTO filing (no, id, chamber, source_doc_id, url, member_no, filed_at, state,"
    " created_at, reviewed_by, publication_no, published_at) VALUES"
    " (1, 'house-1', 'house', '1', 'u', (SELECT no FROM member), 1, 'published', 1, 'e@x', 1, 100),"
    " (2, 'house-2', 'house', '2', 'u', (SELECT no FROM member), 1, 'published', 1, 'e@x', 2, 200),"
    " (3, 'house-3', 'house', '3', 'u', (SELECT no FROM member), 1, 'published', 1, 'e@x', 3, 300)",
    "INSERT INTO trade (no, id, filing_no, publication_no, disclosed_at, position, asset_name, "
    "side,"
    " amount_bucket) VALUES"
    " (11, 'house-1-0001', 1, 1, 100, 1, 'A', 'buy', '1k_15k'),"
    " (12, 'house-1-0002', 1, 1, 100, 2, 'A', 'buy', '1k_15k'),"
    " (13, 'house-2-0001', 2, 2, 200, 1, 'A', 'buy', '1k_15k')",
    "UPDATE trade SET withdrawn_at = 250, withdrawn_reason = 'twice' WHERE no = 12",
    "INSERT INTO correction (no, kind, trade_id, at, by_email) VALUES"
    " (1, 'field', 'house-1-0001', 150, 'e@x'), (2, 'withdrawn', 'house-1-0002', 250, 'e@x'),"
    " (3, 'backfill', NULL, 100, 'e@x')",
    "INSERT INTO finding (no, sha256, reason, evidence, rule_version, found_at)"
    " SELECT 1, a.sha256, 'r', '{}', '1', 90 FROM document_version a",
    "INSERT INTO finding_history (no, trade_no, at, old_no, new_no)"
    " SELECT 1, 11, 100, NULL, no FROM finding",
    "INSERT INTO finding_history (no, trade_no, at, old_no, new_no)"
    " SELECT 2, 11, 220, no, NULL FROM finding",
};

/* A version of a document, with a digest that both databases can write. */
static void add_version(struct store_fixture *f)
{
    const uint8_t digest[32] = {1};
    struct query q;
    assert_ok(
        f, db_exec(
               f->db,
               "INSERT INTO document (kind, source_id, state, first_seen_at)"
               " VALUES ('house-ptr-pdf', '1', 'draft', 1)",
               &f->fail));
    query_start(
        &q, f->db,
        "INSERT INTO document_version (document_no, sha256, bytes, seen_at)"
        " SELECT no, $1, 1, 1 FROM document");
    query_blob(&q, digest, sizeof digest);
    assert_ok(f, query_end(&q, &f->fail));
}

static void migrate_fills_the_sequence_of_changes_with_what_happened(void **state)
{
    static const char *const expected[] = {
        "l.kind = 'published' AND l.trade_no = 11",
        "l.kind = 'published' AND l.trade_no = 12",
        "l.kind = 'corrected' AND l.trade_no = 11 AND l.correction_no = 1",
        "l.kind = 'published' AND l.trade_no = 13 AND l.filing_no = 2",
        "l.kind = 'signal' AND l.trade_no = 11 AND l.history_no = 2",
        "l.kind = 'withdrawn' AND l.trade_no = 12 AND l.correction_no = 2",
        "l.kind = 'published' AND l.trade_no IS NULL AND l.filing_no = 3",
    };
    struct store_fixture *f = *state;
    open_at_step(f, 7);
    add_version(f); /* the finding borrows its digest */
    for (size_t i = 0; i < sizeof history_before_changes / sizeof *history_before_changes; i++)
        assert_ok(f, db_exec(f->db, history_before_changes[i], &f->fail));
    assert_ok(f, migrate_run(f->db, migrate_latest(), NULL, NULL, &f->fail));
    size_t n = sizeof expected / sizeof *expected;
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) * 1000 + max(seq) FROM change_log"), n * 1001);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(
            store_fixture_number(
                f, arena_fmt(
                       &f->arena, "SELECT count(*) FROM change_log l WHERE l.seq = %zu AND %s",
                       i + 1, expected[i])
                       .p),
            1);
}

static void migrated_rows_have_the_details_of_their_cells(void **state)
{
    static const char *const statements[] = {
        "INSERT INTO member (no, id, slug, name) VALUES (1, 'V000001', 'ada-vale', 'Ada Vale')",
        "INSERT INTO publication (no, kind, at, by_email, filings, trades)"
        " VALUES (1, 'live', 5, 'ann@example.org', 1, 2)",
        "INSERT INTO filing (no, id, chamber, source_doc_id, url, member_no, filed_at, state,"
        " created_at, reviewed_by, reviewed_at, review, publication_no, published_at)"
        " VALUES (1, 'senate-x', 'senate', 'x', 'https://example.org/x', 1, 1, 'published', 1,"
        " 'ann@example.org', 1, 'row', 1, 5)",
        "INSERT INTO trade (id, filing_no, publication_no, disclosed_at, position, asset_name,"
        " asset_type, side, amount_bucket, printed) VALUES ('senate-x-0001', 1, 1, 5, 1,"
        " 'Vale Hill', 'option', 'buy', '1k_15k', '{\"asset_detail\":"
        "\"Option Type: Put Strike price: $42.50 Expires: 07/17/2020\"}')",
        "INSERT INTO trade (id, filing_no, publication_no, disclosed_at, position, asset_name,"
        " side, amount_bucket) VALUES ('senate-x-0002', 1, 1, 5, 2, 'Hill', 'buy', '1k_15k')",
        "INSERT INTO draft (no, filing_id, revision, chamber, source_doc_id, manual, state, checks,"
        " created_at) VALUES (1, 'house-1', 1, 'house', '1', 0, 'draft', '[]', 1)",
        "INSERT INTO draft_row (draft_no, position, status, asset_name, asset_type, doubts, "
        "printed)"
        " VALUES (1, 1, 'new', 'Vale Hill', 'option', '[]', '{\"description\":\"C 12.50\"}')",
        /* Several batches of each table, the rows of a draft in two of them. */
        "INSERT INTO trade (id, filing_no, publication_no, disclosed_at, position, asset_name,"
        " side, amount_bucket, printed) WITH RECURSIVE n(i) AS (SELECT 1001 UNION ALL"
        " SELECT i + 1 FROM n WHERE i < 2200) SELECT 'senate-x-' || i, 1, 1, 5, i, 'Hill', 'buy',"
        " '1k_15k', '{\"description\":\"Lot ' || i || '\"}' FROM n",
        "INSERT INTO draft (no, filing_id, revision, chamber, source_doc_id, manual, state, checks,"
        " created_at) VALUES (2, 'house-2', 1, 'house', '2', 0, 'draft', '[]', 1)",
        "INSERT INTO draft_row (draft_no, position, status, asset_name, doubts, printed)"
        " WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 800)"
        " SELECT d.no, n.i, 'new', 'Hill', '[]', '{\"description\":\"Lot ' || n.i || '\"}'"
        " FROM n, draft d",
    };
    static const char *const left[] = {
        "SELECT count(*) FROM trade WHERE details IS NULL",
        "SELECT count(*) FROM draft_row WHERE details IS NULL",
        "SELECT count(*) FROM trade WHERE position > 1000"
        " AND details <> 'description \"Lot ' || position || '\"'",
        "SELECT count(*) FROM draft_row WHERE position > 1"
        " AND details <> 'description \"Lot ' || position || '\"'",
    };
    struct store_fixture *f = *state;
    struct trade_row trade;
    struct draft_row_list rows;
    open_at_step(f, 10);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        assert_ok(f, db_exec(f->db, statements[i], &f->fail));
    assert_ok(f, migrate_run(f->db, migrate_latest(), NULL, NULL, &f->fail));
    assert_ok(f, trade_find(f->db, STR("senate-x-0001"), &f->arena, &trade, NULL, &f->fail));
    assert_str(trade.trade.values.details, "put, strike 42.50, expires 2020-07-17");
    assert_ok(f, trade_find(f->db, STR("senate-x-0002"), &f->arena, &trade, NULL, &f->fail));
    assert_true(str_is_null(trade.trade.values.details));
    assert_ok(f, draft_row_load(f->db, 1, &f->arena, &rows, &f->fail));
    assert_int_equal(rows.count, 800);
    assert_str(rows.items[0].values.details, "call, strike 12.50, description \"C 12.50\"");
    for (size_t i = 0; i < sizeof left / sizeof *left; i++)
        if (store_fixture_number(f, left[i]) != 0)
            fail_msg("some: %s", left[i]);

    /* A correction is stored, also one to nothing. */
    struct row_values values = trade.trade.values;
    values.details = STR_NULL;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, trade_correct(f->db, STR("senate-x-0001"), &values, &f->fail));
    assert_ok(f, trade_find(f->db, STR("senate-x-0001"), &f->arena, &trade, NULL, &f->fail));
    assert_true(str_is_null(trade.trade.values.details));
}

static void migrate_adds_seats_over_time_beside_imported_lists(void **state)
{
    struct store_fixture *f = *state;
    int steps = 0;
    open_at_step(f, 12);
    assert_ok(
        f,
        db_exec(f->db, "INSERT INTO committee (id, chamber) VALUES ('HSFA', 'house')", &f->fail));
    assert_ok(f, migrate_run(f->db, 13, NULL, &steps, &f->fail));
    assert_int_equal(steps, 1);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM committee"), 1);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM committee_span"), 0);
    assert_ok(
        f, db_exec(
               f->db,
               "INSERT INTO committee_span (member_id, committee_id, title, from_day)"
               " VALUES ('V000901', 'HSFA', '', 20000)",
               &f->fail));
}

static void no_finding(void *ctx, struct str what)
{
    fail_msg("%.*s", STR_ARG(what));
}

/* Two publications, a corrected trade and a withdrawn filing from before the chain. */
static void migrate_puts_published_rows_into_the_chain(void **state)
{
    static const char *const statements[] = {
        "INSERT INTO meta (name, value) VALUES ('data', 'real')",
        "INSERT INTO member (no, id, slug, name) VALUES (1, 'V000001', 'ada-vale', 'Ada Vale')",
        ("INSERT INTO publication (no, kind, at, by_email, range_start, range_end, filings, trades)"
         " VALUES (1, 'live', 5, 'ann@example.org', 5, 5, 1, 1200),"
         " (2, 'live', 9, 'ann@example.org', 9, 9, 1, 0)"),
        ("INSERT INTO filing (no, id, chamber, source_doc_id, url, member_no, member_name, "
         "filed_at,"
         " state, created_at, reviewed_by, reviewed_at, review, publication_no, published_at) "
         "VALUES"
         " (1, 'senate-x', 'senate', 'x', 'https://example.org/x', 1, 'Ada Vale', 1, 'published', "
         "1,"
         " 'ann@example.org', 1, 'row', 1, 5),"
         " (2, 'senate-y', 'senate', 'y', 'https://example.org/y', 1, 'Ada Vale', 1, 'withdrawn', "
         "1,"
         " 'ann@example.org', 1, 'row', 2, 9)"),
        ("INSERT INTO trade (id, filing_no, publication_no, disclosed_at, position, asset_name,"
         " side, amount_bucket, details) WITH RECURSIVE n(i) AS (SELECT 1001 UNION ALL"
         " SELECT i + 1 FROM n WHERE i < 2200) SELECT 'senate-x-' || i, 1, 1, 5, i, 'Hill', 'buy',"
         " '1k_15k', '' FROM n"),
        ("INSERT INTO correction (kind, trade_id, filing_id, at, field, old_value, new_value,"
         " reason, by_email) VALUES ('field', 'senate-x-1001', 'senate-x', 7, 'side', 'sell_full',"
         " 'buy', 'page 1', 'ann@example.org')"),
        ("INSERT INTO change_log (seq, at, kind, filing_no, trade_no)"
         " SELECT no, 5, 'published', 1, no FROM trade"),
        ("INSERT INTO change_log (seq, at, kind, filing_no, trade_no, correction_no)"
         " SELECT 1201, 7, 'corrected', 1, min(t.no), min(c.no) FROM trade t, correction c"),
        "UPDATE counter SET value = 2 WHERE name = 'publication'",
        "UPDATE counter SET value = 9 WHERE name = 'published_at'",
    };
    struct store_fixture *f = *state;
    int64_t findings;
    open_at_step(f, 14);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        assert_ok(f, db_exec(f->db, statements[i], &f->fail));
    assert_ok(f, migrate_run(f->db, 15, NULL, NULL, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM chain"), 3);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM trade WHERE digest IS NULL OR source_digest IS NULL"),
        0);
    assert_ok(f, migrate_run(f->db, migrate_latest(), NULL, NULL, &f->fail));
    assert_ok(f, check_run(f->db, no_finding, NULL, NULL, &findings, &f->fail));
    assert_int_equal(findings, 0);
    assert_ok(
        f, db_exec(f->db, "UPDATE trade SET side = 'exchange' WHERE position = 2000", &f->fail));
    struct trade_row row;
    assert_ok(f, trade_find(f->db, STR("senate-x-2000"), &f->arena, &row, NULL, &f->fail));
    assert_true(row.damaged);
    assert_ok(f, trade_find(f->db, STR("senate-x-1001"), &f->arena, &row, NULL, &f->fail));
    assert_false(row.damaged);
    assert_int_not_equal(db_exec(f->db, "DELETE FROM chain", &f->fail), OK);
}

static void migrate_keeps_accounts_and_knows_whose_mail_there_is(void **state)
{
    static const char *const statements[] = {
        "INSERT INTO account (id, email, email_folded, plan, role, created_at, password_hash)"
        " VALUES ('acc_1', 'Ada@example.org', 'ada@example.org', 'pack', 'admin', 5, 'h')",
        "INSERT INTO mail (to_email, subject, body, created_at, due_at)"
        " VALUES ('Ada@example.org', 's', 'b', 5, 5), ('gone@example.org', 's', 'b', 5, 5)",
    };
    struct store_fixture *f = *state;
    open_at_step(f, 15);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        assert_ok(f, db_exec(f->db, statements[i], &f->fail));
    assert_ok(
        f, db_exec(
               f->db,
               store_fixture_is_postgresql()
                   ? "INSERT INTO session (sha256, account_no, created_at, seen_at, expires_at)"
                     " SELECT 'x', no, 5, 5, 5 FROM account"
                   : "INSERT INTO session (sha256, account_no, created_at, seen_at, expires_at)"
                     " SELECT CAST('x' AS BLOB), no, 5, 5, 5 FROM account",
               &f->fail));
    assert_ok(f, migrate_run(f->db, 16, NULL, NULL, &f->fail));
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM account WHERE id = 'acc_1' AND password_hash = 'h'"
               " AND deleted_at IS NULL AND totp_at IS NULL AND role = 'admin'"),
        1);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM session"), 0);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM mail m JOIN account a ON a.no = m.account_no"
               " WHERE m.to_folded = 'ada@example.org'"),
        1);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM mail WHERE account_no IS NULL"), 1);
}

static void migrate_keeps_keys_without_usage(void **state)
{
    static const char *const statements[] = {
        "INSERT INTO account (id, email, email_folded, plan, role, created_at)"
        " VALUES ('acc_1', 'ada@example.org', 'ada@example.org', 'pack', 'member', 5)",
    };
    struct store_fixture *f = *state;
    open_at_step(f, 16);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        assert_ok(f, db_exec(f->db, statements[i], &f->fail));
    assert_ok(
        f, db_exec(
               f->db,
               store_fixture_is_postgresql()
                   ? "INSERT INTO api_key (id, account_no, sha256, prefix, name, created_at,"
                     " last_used_at) SELECT 'key_1', no, sha256('x'), 'svc_12345678', 'one', 5, 7"
                     " FROM account"
                   : "INSERT INTO api_key (id, account_no, sha256, prefix, name, created_at,"
                     " last_used_at) SELECT 'key_1', no, zeroblob(32), 'svc_12345678', 'one', 5, 7"
                     " FROM account",
               &f->fail));
    assert_ok(f, migrate_run(f->db, 17, NULL, NULL, &f->fail));
    assert_ok(f, migrate_run(f->db, migrate_latest(), NULL, NULL, &f->fail));
    struct key key;
    assert_ok(f, key_find(ACT(f), STR("key_1"), &key));
    assert_int_equal(key.last_used_at, 7);
    assert_true(str_is_null(key.last_used_for));
    const struct usage_counts counts = {{3, 1}};
    assert_ok(f, key_day_add(f->db, key.no, 20780, &counts, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT ok FROM key_day"), 3);
}

static void migrate_makes_a_run_of_the_last_result_of_each_job(void **state)
{
    static const char *const statements[] = {
        ("INSERT INTO job (name, started_at, ended_at, next_at, result)"
         " VALUES ('sweep', 5, 9, 100, '{\"trades\":3}'),"
         " ('sync', 6, 8, 100, '{\"house\":{\"error\":\"x\"}}')"),
        "INSERT INTO job (name, next_at) VALUES ('never', 100)",
        "INSERT INTO job (name, started_at, next_at) VALUES ('killed', 4, 100)",
        "INSERT INTO node (id, label, seq, beat_at) VALUES ('a@b', 'one', 1, 1)",
    };
    struct store_fixture *f = *state;
    open_at_step(f, 18);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        assert_ok(f, db_exec(f->db, statements[i], &f->fail));
    assert_ok(f, migrate_run(f->db, 19, NULL, NULL, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM job_run"), 2);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM job_run WHERE name = 'sweep' AND failed = 0"
               " AND started_at = 5 AND ended_at = 9 AND result = '{\"trades\":3}'"),
        1);
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM job_run WHERE name = 'sync' AND failed = 1"),
        1);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM node WHERE version IS NULL"), 1);
}

static void migrate_counts_the_health_of_endpoints_in_an_index(void **state)
{
    struct store_fixture *f = *state;
    struct endpoint_health health;
    open_at_step(f, 19);
    const char *const statements[] = {
        "INSERT INTO account (id, email, email_folded, plan, role, created_at)"
        " VALUES ('acc_1', 'ada@example.org', 'ada@example.org', 'pack', 'member', 5)",
        arena_fmt(
            &f->arena,
            "INSERT INTO endpoint (id, account_no, url, secret_sealed, state, failures, created_at,"
            " changed_at) SELECT 'ep_1', no, 'https://example.org', %s, 'enabled', 0, 5, 5"
            " FROM account",
            store_fixture_is_postgresql() ? "''" : "x''")
            .p,
        "INSERT INTO event (id, type, created_at, body) VALUES ('evt_1', 'trade.published', 5, "
        "'{}')",
        "INSERT INTO delivery (id, event_no, endpoint_no, state, attempts, due_at, created_at)"
        " SELECT 'dlv_1', event.no, endpoint.no, 'delivered', 2, 5, 5 FROM event, endpoint",
        "INSERT INTO attempt (delivery_no, number, started_at, ended_at, error, endpoint_no)"
        " SELECT no, 1, 6, 7, 'timeout', endpoint_no FROM delivery",
        "INSERT INTO attempt (delivery_no, number, started_at, ended_at, status, endpoint_no)"
        " SELECT no, 2, 8, 9, 200, endpoint_no FROM delivery",
    };
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        assert_ok(f, db_exec(f->db, statements[i], &f->fail));
    assert_ok(f, migrate_run(f->db, 20, NULL, NULL, &f->fail));
    int64_t endpoint = store_fixture_number(f, "SELECT no FROM endpoint");
    assert_ok(f, endpoint_health(f->db, endpoint, 10, &f->arena, &health, &f->fail));
    assert_int_equal(health.delivered, 1);
    assert_int_equal(health.failed, 1);
    assert_int_equal(health.last.status, 200);
    if (store_fixture_is_postgresql())
        return;
    struct query q;
    query_start(
        &q, f->db,
        "EXPLAIN QUERY PLAN SELECT count(error) FROM attempt WHERE endpoint_no = 1"
        " AND started_at >= 2 AND started_at < 3");
    assert_true(query_row(&q));
    assert_true(str_find(query_get_str(&q, 3), STR("COVERING INDEX attempt_health")) >= 0);
    assert_ok(f, query_end(&q, &f->fail));
}

static void altered_schema_is_refused(void **state)
{
    struct store_fixture *f = *state;
    alter_and_reopen(f, "UPDATE migration SET checksum = 'x'", ERR_CORRUPT);
}

struct opener {
    struct str url;
    enum err err;
    struct fail fail;
};

static void *open_once(void *arg)
{
    struct opener *o = arg;
    struct db *db;
    o->err = store_open(o->url, STORE_MIGRATE, &db, &o->fail);
    if (!o->err)
        db_close(db);
    return NULL;
}

static void concurrent_migrations_succeed(void **state)
{
    struct store_fixture *f = *state;
    struct opener openers[OPENERS];
    pthread_t threads[OPENERS];
    for (int i = 0; i < OPENERS; i++) {
        openers[i] = (struct opener){.url = store_fixture_url(f)};
        assert_int_equal(pthread_create(&threads[i], NULL, open_once, &openers[i]), 0);
    }
    for (int i = 0; i < OPENERS; i++) {
        pthread_join(threads[i], NULL);
        if (openers[i].err)
            fail_msg("%s", openers[i].fail.text);
    }
    f->db = store_fixture_open(f);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM migration"), migrate_latest());
}

/* Backups */

static void backup_contains_committed_rows(void **state)
{
    struct store_fixture *f = *state;
    const char *path = path_in(f, "copy.db");
    assert_ok(f, store_open(store_fixture_url(f), STORE_MIGRATE, &f->db, &f->fail));
    assert_ok(f, meta_set(f->db, STR("word"), STR("kept"), &f->fail));
    if (store_fixture_is_postgresql()) {
        assert_int_equal(backup_write(f->db, path, NULL, &f->fail), ERR_REFUSED);
        assert_non_null(strstr(f->fail.text, "pg_dump"));
        return;
    }
    struct db *writer = store_fixture_open(f); /* in the middle of a transaction */
    assert_ok(f, db_begin(writer, &f->fail));
    assert_ok(f, meta_set(writer, STR("word"), STR("lost"), &f->fail));
    assert_ok(f, backup_write(f->db, path, NULL, &f->fail));
    db_rollback(writer);
    db_close(writer);
    assert_int_equal(backup_write(f->db, path, NULL, &f->fail), ERR_EXISTS);
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    struct db *copy;
    struct str word;
    assert_ok(f, store_open(arena_fmt(&f->arena, "sqlite:%s", path), STORE_WRITE, &copy, &f->fail));
    assert_ok(f, meta_get(copy, STR("word"), &f->arena, &word, &f->fail));
    assert_str(word, "kept");
    db_close(copy);
    unlink(path);
    assert_int_equal(backup_write(f->db, path_in(f, "no/copy.db"), NULL, &f->fail), ERR_IO);
}

/* Addresses and servers */

static void unknown_database_urls_are_invalid(void **state)
{
    struct store_fixture *f = *state;
    static const char *const wrong[] = {"", "sqlite:", "test.db", "mysql://x", "postgresql:x"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        assert_int_equal(
            store_open(str_from(wrong[i]), STORE_WRITE, &f->db, &f->fail), ERR_INVALID);
}

static void errors_contain_no_password(void **state)
{
    struct store_fixture *f = *state;
    static const char *const addresses[] = {
        "postgresql://ada:hunter2@[::1/x",
        "postgresql://ada:hunter2@/x?nosuch=1",
        "postgresql://ada:hunter2@127.0.0.1:1/x",
        "postgresql://ada:hunter2@/x?host=/nowhere",
    };
    if (db_check_built(str_from(addresses[0]), NULL))
        skip();
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        enum err err = store_open(str_from(addresses[i]), STORE_WRITE, &f->db, &f->fail);
        assert_int_equal(err, i < 2 ? ERR_INVALID : ERR_UNAVAILABLE);
        assert_null(strstr(f->fail.text, "hunter2"));
        assert_null(strchr(f->fail.text, '\n'));
    }
}

static void foreign_schema_is_unchanged(void **state)
{
    struct store_fixture *f = *state;
    skip_unless(store_fixture_is_postgresql());
    struct db *db;
    const struct db_options options = {.create = true};
    assert_ok(f, db_open(store_fixture_url(f), &options, &db, &f->fail));
    assert_ok(
        f,
        db_exec(db, "CREATE SCHEMA stockact; CREATE TABLE stockact.letter (text TEXT)", &f->fail));
    assert_int_equal(
        store_open(store_fixture_url(f), STORE_MIGRATE, &f->db, &f->fail), ERR_REFUSED);
    assert_ok(f, db_exec(db, "DROP TABLE letter", &f->fail));
    db_close(db);
}

static void end_other_connections(struct store_fixture *f)
{
    struct db *other;
    const struct db_options options = {.create = true};
    assert_ok(f, db_open(store_fixture_url(f), &options, &other, &f->fail));
    assert_ok(
        f, db_exec(
               other,
               "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
               " WHERE datname = current_database() AND pid <> pg_backend_pid()"
               " AND application_name = 'stockact'",
               &f->fail));
    db_close(other);
}

static void lost_connection_reconnects_outside_transactions(void **state)
{
    struct store_fixture *f = *state;
    skip_unless(store_fixture_is_postgresql());
    assert_ok(f, store_open(store_fixture_url(f), STORE_MIGRATE, &f->db, &f->fail));
    assert_ok(f, meta_set(f->db, STR("word"), STR("1"), &f->fail));
    end_other_connections(f);
    assert_ok(f, meta_set(f->db, STR("word"), STR("2"), &f->fail));
    end_other_connections(f);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, meta_set(f->db, STR("word"), STR("3"), &f->fail));
    end_other_connections(f);
    assert_int_equal(meta_set(f->db, STR("word"), STR("4"), &f->fail), ERR_UNAVAILABLE);
    assert_int_equal(db_commit(f->db, &f->fail), ERR_UNAVAILABLE);
    struct str word;
    assert_ok(f, meta_get(f->db, STR("word"), &f->arena, &word, &f->fail));
    assert_str(word, "2");
}

static void listening_survives_a_lost_connection(void **state)
{
    struct store_fixture *f = *state;
    skip_unless(store_fixture_is_postgresql());
    assert_ok(f, store_open(store_fixture_url(f), STORE_MIGRATE, &f->db, &f->fail));
    assert_ok(f, change_wait(f->db, -1, 0, &f->fail));
    end_other_connections(f);
    assert_ok(f, change_wait(f->db, -1, 0, &f->fail));
    struct db *other = store_fixture_open(f);
    assert_ok(f, change_add(other, STR("key"), STR("k"), NULL, &f->fail));
    assert_ok(f, change_wait(f->db, -1, HOUR_MS, &f->fail));
    db_close(other);
}

#define ENDPOINTS(secret)                                                                          \
    "INSERT INTO endpoint (id, account_no, url, secret_sealed, state, failures, created_at,"       \
    " changed_at) SELECT 'ep_' || n.n, a.no, 'https://example.org/', " secret                      \
    ", 'enabled', 0, 5, 5 FROM account a CROSS JOIN (SELECT 1 AS n UNION SELECT 2) n"

/* Step 18: attempts of before get their endpoint, and deliveries of before were sent for events. */
static void migrate_gives_attempts_their_endpoint(void **state)
{
    const char *const statements[] = {
        "INSERT INTO account (id, email, email_folded, plan, role, created_at)"
        " VALUES ('acc_1', 'a@example.org', 'a@example.org', 'pack', 'member', 5)",
        store_fixture_is_postgresql() ? ENDPOINTS("CAST('x' AS BYTEA)")
                                      : ENDPOINTS("CAST('x' AS BLOB)"),
        "INSERT INTO event (id, type, created_at, body) VALUES ('evt_1', 'trade.published', 5, '')",
        "INSERT INTO delivery (id, event_no, endpoint_no, state, attempts, due_at, created_at)"
        " SELECT 'dlv_' || e.no, v.no, e.no, 'pending', 1, 5, 5 FROM event v, endpoint e",
        "INSERT INTO attempt (delivery_no, number, started_at, ended_at, status)"
        " SELECT no, 1, 5, 6, 500 FROM delivery",
    };
    struct store_fixture *f = *state;
    open_at_step(f, 17);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        assert_ok(f, db_exec(f->db, statements[i], &f->fail));
    assert_ok(f, migrate_run(f->db, 18, NULL, NULL, &f->fail));
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM attempt a JOIN delivery d ON d.no = a.delivery_no"
               " WHERE a.endpoint_no = d.endpoint_no AND a.request IS NULL"),
        2);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM delivery WHERE cause = 'event' AND replayed_at IS NULL"),
        2);
}

static void see_delivery_at(void *ctx, const struct delivery_row *row)
{
    int64_t **next = ctx;
    *(*next)++ = row->created_at;
}

/* Step 21: the log of an endpoint is found by the new index, newest first. */
static void migrate_keeps_the_log_of_each_endpoint(void **state)
{
    const char *const statements[] = {
        "INSERT INTO account (id, email, email_folded, plan, role, created_at)"
        " VALUES ('acc_1', 'a@example.org', 'a@example.org', 'pack', 'member', 5)",
        store_fixture_is_postgresql() ? ENDPOINTS("CAST('x' AS BYTEA)")
                                      : ENDPOINTS("CAST('x' AS BLOB)"),
        "INSERT INTO event (id, type, created_at, body)"
        " VALUES ('evt_1', 'trade.published', 5, ''), ('evt_2', 'test', 6, ''),"
        " ('evt_3', 'trade.corrected', 7, '')",
        "INSERT INTO delivery (id, event_no, endpoint_no, state, attempts, due_at, created_at)"
        " SELECT 'dlv_' || v.id || e.id, v.no, e.no, CASE v.no WHEN 1 THEN 'failed'"
        " ELSE 'delivered' END, 1, 5, v.created_at FROM event v, endpoint e",
    };
    struct store_fixture *f = *state;
    struct delivery_filter filter = DELIVERY_FILTER_ALL;
    struct event_place newest;
    int64_t seen[8] = {0}, *next = seen;
    open_at_step(f, 20);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        assert_ok(f, db_exec(f->db, statements[i], &f->fail));
    assert_ok(f, migrate_run(f->db, 21, NULL, NULL, &f->fail));
    filter.endpoint_no = 2;
    assert_ok(f, delivery_each(f->db, &filter, 8, see_delivery_at, &next, &f->fail));
    assert_int_equal(next - seen, 3);
    assert_true(seen[0] == 7 && seen[1] == 6 && seen[2] == 5);
    assert_ok(f, event_place_at(f->db, 2, &newest, &f->fail));
    assert_int_equal(newest.no, 1); /* the test is none of them */
}

/* Drafts 1 and 2 were read once and twice. Draft 2 was found right in an open batch, and changed
 * before and after the batch was started. */
static void migrate_keeps_who_looked_and_unmarks_drafts_that_were_read_once(void **state)
{
    enum { STEP = 30 };
    static const char *const statements[] = {
        "INSERT INTO draft (filing_id, revision, chamber, source_doc_id, document_version_no,"
        " manual, state, checks, created_at, clean) VALUES"
        " ('house-1', 1, 'house', '1', (SELECT no FROM document_version), 0, 'draft',"
        " '[{\"name\":\"signed\",\"passed\":true,\"detail\":null}]', 1, 1),"
        " ('house-2', 1, 'house', '2', (SELECT no FROM document_version), 0, 'draft',"
        " '[{\"name\":\"second_reading\",\"passed\":true,\"detail\":null}]', 1, 1)",
        "INSERT INTO review_batch (no, state, started_at, started_by, size, sample)"
        " VALUES (1, 'open', 100, 'a@example.org', 2, 1)",
        "INSERT INTO review_batch_draft (batch_no, draft_no, mark, drawn, outcome, at, by_email)"
        " SELECT 1, no, 'm', CASE filing_id WHEN 'house-2' THEN 1 ELSE 0 END,"
        " CASE filing_id WHEN 'house-2' THEN 'right' ELSE 'waiting' END, 110, 'b@example.org'"
        " FROM draft",
        "INSERT INTO draft_history (draft_no, at, by_email, action)"
        " SELECT no, 90, 'a@example.org', 'set' FROM draft WHERE filing_id = 'house-2'",
        "INSERT INTO draft_history (draft_no, at, by_email, action)"
        " SELECT no, 120, 'a@example.org', 'set' FROM draft WHERE filing_id = 'house-2'",
    };
    struct store_fixture *f = *state;
    open_at_step(f, STEP - 1);
    add_version(f);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        assert_ok(f, db_exec(f->db, statements[i], &f->fail));
    assert_ok(f, migrate_run(f->db, STEP, NULL, NULL, &f->fail));
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM draft WHERE (filing_id = 'house-2') = (clean = 1)"),
        2);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM review_batch_draft WHERE looked_by = 'b@example.org'"
               " AND outcome = 'right' AND history_no = (SELECT min(no) FROM draft_history)"),
        1);
    assert_int_equal(
        store_fixture_number(
            f,
            "SELECT count(*) FROM review_batch_draft WHERE looked_by IS NULL AND history_no = 0"),
        1);
}

static void migrate_keeps_rejected_drafts_rejected(void **state)
{
    enum { STEP = 37 };
    struct store_fixture *f = *state;
    open_at_step(f, STEP - 1);
    assert_ok(
        f,
        db_exec(
            f->db,
            "INSERT INTO draft (filing_id, revision, chamber, source_doc_id, manual, state, checks,"
            " created_at) VALUES ('house-1', 1, 'house', '1', 1, 'rejected', '[]', 1)",
            &f->fail));
    assert_ok(f, migrate_run(f->db, STEP, NULL, NULL, &f->fail));
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM draft WHERE nothing_reported = 0"), 1);
}

static void migrate_adds_indexes_of_what_may_repeat_a_report(void **state)
{
    enum { STEP = 38 };
    struct store_fixture *f = *state;
    open_at_step(f, STEP - 1);
    assert_ok(f, migrate_run(f->db, STEP, NULL, NULL, &f->fail));
    assert_int_equal(
        store_fixture_number(
            f, store_fixture_is_postgresql()
                   ? "SELECT count(*) FROM pg_indexes WHERE indexname IN ('draft_amendment',"
                     " 'draft_row_marked', 'draft_row_linked')"
                   : "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND name IN"
                     " ('draft_amendment', 'draft_row_marked', 'draft_row_linked')"),
        3);
}

static void migrate_knows_no_class_of_stored_senators(void **state)
{
    enum { STEP = 39 };
    struct store_fixture *f = *state;
    open_at_step(f, STEP - 1);
    assert_ok(
        f, db_exec(
               f->db, "INSERT INTO member (id, slug, name) VALUES ('A000001', 'ada', 'Ada')",
               &f->fail));
    assert_ok(
        f, db_exec(
               f->db,
               "INSERT INTO member_term (member_no, position, chamber, state, start_day, end_day)"
               " SELECT no, 0, 'senate', 'OR', 20000, 22000 FROM member",
               &f->fail));
    assert_ok(f, migrate_run(f->db, STEP, NULL, NULL, &f->fail));
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM member m JOIN member_term t ON t.member_no = m.no"
               " WHERE t.senate_class IS NULL AND m.listed_day IS NULL"),
        1);
}

/* Of a filing that was accepted before, nothing is known. */
static void migrate_invents_no_evidence_of_looking(void **state)
{
    enum { STEP = 40 };
    struct store_fixture *f = *state;
    open_at_step(f, STEP - 1);
    assert_ok(
        f,
        db_exec(
            f->db,
            "INSERT INTO filing (id, chamber, source_doc_id, url, filed_at, state, created_at,"
            " review, reviewed_by, reviewed_at)"
            " VALUES ('house-1', 'house', '1', 'u', 1, 'accepted', 1, 'row', 'a@example.org', 2)",
            &f->fail));
    assert_ok(f, migrate_run(f->db, STEP, NULL, NULL, &f->fail));
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM filing WHERE acceptance_no IS NULL"), 1);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM acceptance"), 0);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM draft_look"), 0);
}

static void migrate_knows_the_filers_of_drafts(void **state)
{
    enum { STEP = 42 };
    struct store_fixture *f = *state;
    open_at_step(f, STEP - 1);
    static const char *const rows[] = {
        "INSERT INTO member (id, slug, name) VALUES ('m1', 'robin-vale', 'Robin Vale')",
        "INSERT INTO document (kind, source_id, chamber, state, first_seen_at)"
        " VALUES ('house', '1', 'house', 'draft', 1), ('house', '2', 'house',"
        " 'awaiting_document', 1)",
        "INSERT INTO draft (filing_id, revision, chamber, source_doc_id, manual, member_no, state,"
        " checks, created_at) VALUES ('house-1', 1, 'house', '1', 0, NULL, 'superseded', '[]', 1),"
        " ('house-1', 2, 'house', '1', 0, (SELECT no FROM member), 'draft', '[]', 1)",
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_ok(f, db_exec(f->db, rows[i], &f->fail));
    assert_ok(f, migrate_run(f->db, STEP, NULL, NULL, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM document_filer"), 1);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM document_filer b JOIN document d ON d.no = b.document_no"
               " JOIN member m ON m.no = b.member_no WHERE d.source_id = '1'"),
        1);
}

static void migrate_reads_no_box_of_stored_rows(void **state)
{
    enum { STEP = 43 };
    struct store_fixture *f = *state;
    open_at_step(f, STEP - 1);
    assert_ok(
        f,
        db_exec(
            f->db,
            "INSERT INTO draft (filing_id, revision, chamber, source_doc_id, manual, state, checks,"
            " created_at) VALUES ('house-1', 1, 'house', '1', 1, 'draft', '[]', 1)",
            &f->fail));
    assert_ok(
        f, db_exec(
               f->db,
               "INSERT INTO draft_row (draft_no, position, status, doubts) VALUES (1, 1, 'new',"
               " '[]')",
               &f->fail));
    assert_ok(f, migrate_run(f->db, STEP, NULL, NULL, &f->fail));
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM draft_row WHERE cap_gains IS NULL"), 1);
}

static void migrate_confirms_no_company_of_stored_rows(void **state)
{
    enum { STEP = 48 };
    struct store_fixture *f = *state;
    open_at_step(f, STEP - 1);
    assert_ok(
        f, db_exec(
               f->db,
               "INSERT INTO draft (filing_id, revision, chamber, source_doc_id, manual, state,"
               " checks, created_at) VALUES ('house-1', 1, 'house', '1', 1, 'draft', '[]', 1)",
               &f->fail));
    assert_ok(
        f, db_exec(
               f->db,
               "INSERT INTO draft_row (draft_no, position, status, doubts) VALUES (1, 1, 'new',"
               " '[]')",
               &f->fail));
    assert_ok(f, migrate_run(f->db, STEP, NULL, NULL, &f->fail));
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM draft_row WHERE company IS NULL"), 1);
}

static void migrate_adds_an_empty_list_of_moved_instants(void **state)
{
    struct store_fixture *f = *state;
    enum { STEP = 46 };
    open_at_step(f, STEP - 1);
    assert_ok(f, migrate_run(f->db, STEP, NULL, NULL, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM redated"), 0);
}

/* Of a database with data alone; a later upgrade keeps the mark of the first. */
static void migrate_notes_what_an_upgrade_began_with(void **state)
{
    struct store_fixture *f = *state;
    unsigned due = 0;
    int schema = 0;
    open_at_step(f, 23);
    assert_ok(f, migrate_run(f->db, 24, NULL, NULL, &f->fail));
    assert_ok(f, upgrade_due(f->db, &due, &schema, &f->fail));
    assert_int_equal(schema, 0);
    assert_ok(f, meta_data_claim(f->db, META_DATA_REAL, &f->fail));
    assert_ok(f, migrate_run(f->db, 30, NULL, NULL, &f->fail));
    assert_ok(f, migrate_run(f->db, migrate_latest(), NULL, NULL, &f->fail));
    assert_ok(f, upgrade_due(f->db, &due, &schema, &f->fail));
    assert_int_equal(schema, 24);
    assert_int_equal(due, 1U << UPGRADE_SCANS | 1U << UPGRADE_CHECK);
    assert_ok(f, upgrade_done(f->db, UPGRADE_SCANS, &f->fail));
    assert_ok(f, upgrade_due(f->db, &due, &schema, &f->fail));
    assert_int_equal(due, 1U << UPGRADE_CHECK);
}

static void migrate_keeps_alerts_about_flags_of_any_grade(void **state)
{
    struct store_fixture *f = *state;
    enum { STEP = 47 };
    open_at_step(f, STEP - 1);
    assert_ok(
        f, db_exec(
               f->db,
               "INSERT INTO account (id, email, email_folded, plan, role, created_at)"
               " VALUES ('a', 'a@example.org', 'a@example.org', 'wolf', 'member', 1)",
               &f->fail));
    assert_ok(
        f, db_exec(
               f->db,
               "INSERT INTO alert (id, account_no, state, pace, flagged, after_seq, created_at,"
               " changed_at) SELECT 'al', no, 'enabled', 'now', 1, 0, 1, 1 FROM account",
               &f->fail));
    assert_ok(f, migrate_run(f->db, STEP, NULL, NULL, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM alert WHERE grade IS NULL"), 1);
}

static void migrate_lets_leased_mail_be_claimed_by_when_it_is_due(void **state)
{
    struct store_fixture *f = *state;
    enum { STEP = 45 };
    open_at_step(f, STEP - 1);
    assert_ok(
        f, db_exec(
               f->db,
               "INSERT INTO mail (to_email, subject, body, created_at, due_at, lease_node)"
               " VALUES ('a@example.org', 's', 'b', 1, 1, 'gone')",
               &f->fail));
    assert_ok(f, migrate_run(f->db, STEP, NULL, NULL, &f->fail));
    assert_int_equal(
        store_fixture_number(f, "SELECT count(*) FROM mail WHERE lease_until IS NULL"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test_empty(missing_database_is_named_and_not_created),
        store_test_empty(new_database_is_readable_by_owner_only),
        store_test_empty(other_file_is_unchanged),
        store_test_empty(foreign_database_is_unchanged),
        store_test_empty(read_only_file_is_reported),
        store_test_empty(locked_database_is_busy_not_broken),
        store_test_empty(file_is_locked_by_one_server),
        store_test_empty(empty_database_is_created_only_on_request),
        store_test_empty(migrations_tell_their_steps),
        store_test_empty(newer_database_is_refused),
        store_test_empty(newer_database_that_shuts_nobody_out_is_opened),
        store_test_empty(newer_database_without_steps_of_this_program_is_corrupt),
        store_test_empty(step_that_shuts_out_a_running_server_is_refused),
        store_test_empty(older_database_error_names_migrate),
        store_test_empty(migrate_drops_former_symbols_and_keeps_tickers),
        store_test_empty(migrate_keeps_the_log_and_finds_trades_withdrawn_with_their_filing),
        store_test_empty(migrate_keeps_the_names_that_trades_showed),
        store_test_empty(migrate_fills_the_sequence_of_changes_with_what_happened),
        store_test_empty(migrated_rows_have_the_details_of_their_cells),
        store_test_empty(migrate_adds_seats_over_time_beside_imported_lists),
        store_test_empty(migrate_puts_published_rows_into_the_chain),
        store_test_empty(migrate_keeps_accounts_and_knows_whose_mail_there_is),
        store_test_empty(migrate_keeps_keys_without_usage),
        store_test_empty(migrate_gives_attempts_their_endpoint),
        store_test_empty(migrate_makes_a_run_of_the_last_result_of_each_job),
        store_test_empty(migrate_counts_the_health_of_endpoints_in_an_index),
        store_test_empty(migrate_keeps_the_log_of_each_endpoint),
        store_test_empty(migrate_keeps_who_looked_and_unmarks_drafts_that_were_read_once),
        store_test_empty(migrate_keeps_rejected_drafts_rejected),
        store_test_empty(migrate_adds_indexes_of_what_may_repeat_a_report),
        store_test_empty(migrate_knows_no_class_of_stored_senators),
        store_test_empty(migrate_invents_no_evidence_of_looking),
        store_test_empty(migrate_knows_the_filers_of_drafts),
        store_test_empty(migrate_reads_no_box_of_stored_rows),
        store_test_empty(migrate_lets_leased_mail_be_claimed_by_when_it_is_due),
        store_test_empty(migrate_confirms_no_company_of_stored_rows),
        store_test_empty(migrate_adds_an_empty_list_of_moved_instants),
        store_test_empty(migrate_notes_what_an_upgrade_began_with),
        store_test_empty(migrate_keeps_alerts_about_flags_of_any_grade),
        store_test_empty(altered_schema_is_refused),
        store_test_empty(concurrent_migrations_succeed),
        store_test_empty(backup_contains_committed_rows),
        store_test_empty(unknown_database_urls_are_invalid),
        store_test_empty(errors_contain_no_password),
        store_test_empty(foreign_schema_is_unchanged),
        store_test_empty(lost_connection_reconnects_outside_transactions),
        store_test_empty(listening_survives_a_lost_connection),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
