/* Connections and queries, with the same behaviour on SQLite and on PostgreSQL. */
#include "store_fixture.h"

#include <signal.h>
#include <sys/wait.h>

static void make_table(struct store_fixture *f)
{
    bool postgresql = store_fixture_is_postgresql();
    assert_ok(
        f, db_exec(
               f->db,
               postgresql ? "CREATE TABLE probe (no BIGINT PRIMARY KEY, word TEXT COLLATE \"C\","
                            " bytes BYTEA, CHECK (no <> 13))"
                          : "CREATE TABLE probe (no INTEGER PRIMARY KEY, word TEXT, bytes BLOB,"
                            " CHECK (no <> 13)) STRICT",
               &f->fail));
}

static enum err insert(struct store_fixture *f, int64_t no, struct str word, struct str bytes)
{
    return query_run(
        f->db, &f->fail, "INSERT INTO probe (no, word, bytes) VALUES ($1, $2, $3)", V(no), V(word),
        V_BLOB(bytes.p, bytes.n));
}

static void values_round_trip(void **state)
{
    struct store_fixture *f = *state;
    make_table(f);
    static const struct {
        int64_t no;
        struct str word, bytes;
    } rows[] = {
        {INT64_MIN, STR_INIT(""), STR_INIT("")},
        {-1, {NULL, 0}, {NULL, 0}},
        {0, STR_INIT("na\xc3\xafve \xe2\x80\x93 \xf0\x9f\x90\xba"), STR_INIT("\0\1\xff'\\")},
        {INT64_MAX, STR_INIT("it's \"quoted\"\r\n$1 {x}"), STR_INIT("\\x00")},
    };
    size_t n = sizeof rows / sizeof *rows;
    for (size_t i = 0; i < n; i++)
        assert_ok(f, insert(f, rows[i].no, rows[i].word, rows[i].bytes));
    struct query q;
    query_start(&q, f->db, "SELECT no, word, bytes FROM probe ORDER BY no");
    for (size_t i = 0; i < n; i++) {
        assert_true(query_row(&q));
        assert_true(query_get_i64(&q, 0) == rows[i].no);
        assert_true(str_eq(query_get_str(&q, 1), rows[i].word));
        assert_true(str_eq(query_get_blob(&q, 2), rows[i].bytes));
        assert_int_equal(query_is_null(&q, 1), str_is_null(rows[i].word));
    }
    assert_false(query_row(&q));
    assert_false(query_row(&q));
    assert_ok(f, query_end(&q, &f->fail));
}

static void statements_are_one_call(void **state)
{
    struct store_fixture *f = *state;
    bool any = true;
    int64_t number = -7;
    make_table(f);
    assert_ok(f, query_any(f->db, &any, &f->fail, "SELECT 1 FROM probe"));
    assert_false(any);
    assert_ok(
        f, query_number(f->db, &number, &f->fail, "SELECT no FROM probe WHERE no = $1", V(1)));
    assert_int_equal(number, -7); /* no row */
    assert_ok(f, insert(f, 1, STR("one"), STR_NULL));
    assert_ok(
        f, query_run(
               f->db, &f->fail, "UPDATE probe SET no = $2, word = $3 WHERE no = $1", V(true),
               V_OPT(INT64_C(5), INT64_C(6)), V(STR_NULL)));
    assert_ok(
        f, query_number(
               f->db, &number, &f->fail, "SELECT no FROM probe WHERE word IS NULL AND no <> $1",
               V(4)));
    assert_int_equal(number, 5);
    assert_ok(
        f, query_any(
               f->db, &any, &f->fail,
               "SELECT 1 FROM probe WHERE coalesce(CAST($1 AS BIGINT), 5) = no", V_OPT(6, 6)));
    assert_true(any);
    assert_int_equal(insert(f, 5, STR("again"), STR_NULL), ERR_EXISTS);
    assert_int_equal(insert(f, 8, STR("a\0b"), STR_NULL), ERR_INVALID);
}

static void query_can_end_before_its_last_row(void **state)
{
    struct store_fixture *f = *state;
    make_table(f);
    for (int i = 0; i < 10; i++)
        assert_ok(f, insert(f, i, STR("x"), STR_NULL));
    for (int round = 0; round < 3; round++) {
        struct query q;
        query_start(&q, f->db, "SELECT no FROM probe WHERE no >= $1 ORDER BY no");
        query_i64(&q, round);
        assert_true(query_row(&q));
        assert_int_equal(query_get_i64(&q, 0), round);
        assert_ok(f, query_end(&q, &f->fail));
    }
    struct query q; /* a writing query runs completely */
    query_start(&q, f->db, "UPDATE probe SET word = 'y' RETURNING no");
    assert_true(query_row(&q));
    assert_ok(f, query_end(&q, &f->fail));
    assert_int_equal(query_changes(&q), 10);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM probe WHERE word = 'y'"), 10);
}

static void constraint_violations_have_distinct_errors(void **state)
{
    struct store_fixture *f = *state;
    make_table(f);
    assert_ok(f, insert(f, 1, STR("a"), STR_NULL));
    assert_int_equal(insert(f, 1, STR("b"), STR_NULL), ERR_EXISTS);
    assert_int_equal(insert(f, 13, STR("b"), STR_NULL), ERR_REFUSED);
    assert_int_equal(insert(f, 2, str_of("a\0b", 3), STR_NULL), ERR_INVALID);
    assert_ok(f, insert(f, 2, STR("b"), STR_NULL));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM probe"), 2);
}

static void failed_statement_dooms_its_transaction(void **state)
{
    struct store_fixture *f = *state;
    make_table(f);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, insert(f, 1, STR("a"), STR_NULL));
    assert_int_equal(insert(f, 1, STR("a"), STR_NULL), ERR_EXISTS);
    assert_int_equal(insert(f, 2, STR("b"), STR_NULL), ERR_EXISTS);
    assert_int_equal(db_commit(f->db, &f->fail), ERR_EXISTS);
    assert_false(db_in_transaction(f->db));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM probe"), 0);
}

static void savepoint_fails_alone(void **state)
{
    struct store_fixture *f = *state;
    make_table(f);
    assert_ok(f, db_begin(f->db, &f->fail));
    for (int i = 0; i < 4; i++) {
        assert_ok(f, db_savepoint(f->db, &f->fail));
        assert_ok(f, insert(f, i, STR("a"), STR_NULL));
        if (i % 2) {
            assert_int_equal(insert(f, i, STR("a"), STR_NULL), ERR_EXISTS);
            assert_ok(f, db_savepoint_rollback(f->db, &f->fail));
        } else {
            assert_ok(f, db_savepoint_release(f->db, &f->fail));
        }
    }
    assert_ok(f, db_commit(f->db, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM probe"), 2);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM probe WHERE no = 2"), 1);
}

static void rollback_leaves_nothing(void **state)
{
    struct store_fixture *f = *state;
    make_table(f);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, insert(f, 1, STR("a"), STR_NULL));
    db_rollback(f->db);
    db_rollback(f->db); /* nothing to do */
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM probe"), 0);
}

static void read_transaction_sees_one_state(void **state)
{
    struct store_fixture *f = *state;
    make_table(f);
    struct db *writer = f->db, *reader = store_fixture_open(f);
    assert_ok(f, insert(f, 1, STR("a"), STR_NULL));
    f->db = reader;
    assert_ok(f, db_begin_read(reader, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM probe"), 1);
    f->db = writer;
    assert_ok(f, insert(f, 2, STR("b"), STR_NULL));
    f->db = reader;
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM probe"), 1);
    assert_ok(f, db_commit(reader, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM probe"), 2);
    f->db = writer;
    db_close(reader);
}

static void reading_connection_cannot_write(void **state)
{
    struct store_fixture *f = *state;
    make_table(f);
    struct db *writer = f->db;
    assert_ok(f, store_open(store_fixture_url(f), STORE_READ, &f->db, &f->fail));
    assert_int_not_equal(insert(f, 1, STR("a"), STR_NULL), OK);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM probe"), 0);
    db_close(f->db);
    f->db = writer;
}

static void text_is_ordered_by_its_bytes(void **state)
{
    struct store_fixture *f = *state;
    make_table(f);
    static const char *const words[] = {
        "house-2",   "house-10", "house-1-0002", "House-1", "house-1.0001", "house_1", "senate-AB",
        "senate-ab", "house-1",  "\xc3\xa9",     "z"};
    size_t n = sizeof words / sizeof *words;
    for (size_t i = 0; i < n; i++)
        assert_ok(f, insert(f, (int64_t)i, str_from(words[i]), STR_NULL));
    static const char *const sorted[] = {"House-1",   "house-1", "house-1-0002", "house-1.0001",
                                         "house-10",  "house-2", "house_1",      "senate-AB",
                                         "senate-ab", "z",       "\xc3\xa9"};
    struct query q;
    query_start(&q, f->db, "SELECT word FROM probe ORDER BY word");
    for (size_t i = 0; i < n; i++) {
        assert_true(query_row(&q));
        assert_str(query_get_str(&q, 0), sorted[i]);
    }
    assert_ok(f, query_end(&q, &f->fail));
}

/* The columns that order lists and find rows: the real schema sorts ids bytewise too. */
static void schema_orders_ids_bytewise(void **state)
{
    struct store_fixture *f = *state;
    assert_ok(
        f, db_exec(
               f->db,
               "INSERT INTO member (id, slug, name) VALUES ('b', 'x-b', 'n'), ('B', 'x.b', 'n'),"
               " ('a', 'X-b', 'n')",
               &f->fail));
    struct query q;
    query_start(&q, f->db, "SELECT id FROM member ORDER BY id");
    const char *const ids[] = {"B", "a", "b"};
    for (size_t i = 0; i < 3; i++) {
        assert_true(query_row(&q));
        assert_str(query_get_str(&q, 0), ids[i]);
    }
    assert_ok(f, query_end(&q, &f->fail));
    query_start(&q, f->db, "SELECT slug FROM member ORDER BY slug");
    const char *const slugs[] = {"X-b", "x-b", "x.b"};
    for (size_t i = 0; i < 3; i++) {
        assert_true(query_row(&q));
        assert_str(query_get_str(&q, 0), slugs[i]);
    }
    assert_ok(f, query_end(&q, &f->fail));
}

static void many_prepared_statements_stay_separate(void **state)
{
    struct store_fixture *f = *state;
    static char texts[200][32];
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 200; i++) {
            snprintf(texts[i], sizeof texts[i], "SELECT CAST(%d AS BIGINT)", i);
            assert_int_equal(store_fixture_number(f, texts[i]), i);
        }
    }
}

static const char lock_number[] = "UPDATE counter SET value = value WHERE name = 'publication'";

/* A server or its machine stops in the middle of a transaction. */
static void silent_writer_loses_locks_and_recovers_later(void **state)
{
    struct store_fixture *f = *state;
    if (!store_fixture_is_postgresql())
        skip();
    struct db *other = store_fixture_open(f);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT CAST(setting AS BIGINT) FROM pg_settings"
               " WHERE name = 'idle_in_transaction_session_timeout'"),
        DB_IDLE_WRITER_TIMEOUT_MS);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, db_exec(f->db, lock_number, &f->fail));
    assert_ok(f, db_exec(f->db, "SET idle_in_transaction_session_timeout = 50", &f->fail));
    assert_ok(f, db_begin(other, &f->fail));
    assert_ok(f, db_exec(other, lock_number, &f->fail)); /* after the first connection is dropped */
    assert_ok(f, db_commit(other, &f->fail));
    db_close(other);
    assert_int_equal(db_exec(f->db, lock_number, &f->fail), ERR_UNAVAILABLE);
    db_rollback(f->db);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, db_exec(f->db, lock_number, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
}

/* Takes the lock and keeps it with a long statement; never returns. */
static void hold_lock(struct store_fixture *f)
{
    struct db *db;
    if (store_open(store_fixture_url(f), STORE_WRITE, &db, &f->fail) == OK &&
        db_begin(db, &f->fail) == OK && db_exec(db, lock_number, &f->fail) == OK) {
        db_be_patient(db);
        _exit(db_exec(db, "SELECT pg_sleep(300)", &f->fail));
    }
    _exit(1);
}

static void killed_process_loses_its_locks(void **state)
{
    static const char sleeping[] = "SELECT count(*) FROM pg_stat_activity"
                                   " WHERE datname = current_database() AND wait_event = 'PgSleep'";
    struct store_fixture *f = *state;
    if (!store_fixture_is_postgresql() ||
        store_fixture_number(f, "SELECT CAST(current_setting('server_version_num') AS BIGINT)") <
            140000)
        skip();
    pid_t child = fork();
    assert_true(child >= 0);
    if (!child)
        hold_lock(f);
    while (store_fixture_number(f, sleeping) != 1) {
        assert_int_equal(waitpid(child, NULL, WNOHANG), 0);
        sched_yield();
    }
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_ok(f, db_exec(f->db, "SET lock_timeout = 60000", &f->fail));
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, db_exec(f->db, lock_number, &f->fail)); /* before the statement has ended */
    assert_ok(f, db_commit(f->db, &f->fail));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(values_round_trip),
        store_test(statements_are_one_call),
        store_test(query_can_end_before_its_last_row),
        store_test(constraint_violations_have_distinct_errors),
        store_test(failed_statement_dooms_its_transaction),
        store_test(savepoint_fails_alone),
        store_test(rollback_leaves_nothing),
        store_test(read_transaction_sees_one_state),
        store_test(reading_connection_cannot_write),
        store_test(text_is_ordered_by_its_bytes),
        store_test(schema_orders_ids_bytewise),
        store_test(many_prepared_statements_stay_separate),
        store_test(silent_writer_loses_locks_and_recovers_later),
        store_test(killed_process_loses_its_locks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
