/* Many rows at once, on SQLite and PostgreSQL. */
#include "store_fixture.h"

#include <signal.h>

#include "db/bulk.h"

enum { ROWS = 3000, LONG_SIZE = 3 << 20 };

static const struct bulk_text findings = {
    "INSERT INTO finding (no, sha256, reason, evidence, rule_version, found_at)"
    " VALUES ($1, $2, $3, $4, $5, $6)",
    "COPY finding (no, sha256, reason, evidence, rule_version, found_at)"
    " FROM STDIN (FORMAT binary)",
    6};

static const struct bulk_text members = {
    "INSERT INTO member (no, id, slug, name, first_name, birthday) VALUES ($1, $2, $3, $4, $5, $6)",
    "COPY member (no, id, slug, name, first_name, birthday) FROM STDIN (FORMAT binary)", 6};

static void put_member(struct bulk *b, int64_t no, const char *id, struct str first_name)
{
    bulk_i64(b, no);
    bulk_str(b, str_from(id));
    bulk_str(b, str_from(id));
    bulk_str(b, STR("Zoë"));
    bulk_str(b, first_name);
    bulk_null(b);
}

static void rows_are_stored_as_they_were_given(void **state)
{
    struct store_fixture *f = *state;
    struct bulk b;
    assert_ok(f, db_begin(f->db, &f->fail));
    bulk_begin(&b, f->db, &members);
    put_member(&b, -7, "a", STR(""));
    put_member(&b, INT64_MAX, "b", STR_NULL);
    assert_ok(f, db_end(f->db, bulk_end(&b, OK, &f->fail), &f->fail));
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM member WHERE (no = -7 AND first_name = '' AND birthday IS NULL"
               " AND name = 'Zoë') OR (no = 9223372036854775807 AND first_name IS NULL)"),
        2);
}

static void many_rows_and_long_values_pass_the_buffer(void **state)
{
    struct store_fixture *f = *state;
    struct bulk b;
    char *bytes = mem_alloc(LONG_SIZE);
    memset(bytes, 'x', LONG_SIZE);
    assert_ok(f, db_begin(f->db, &f->fail));
    bulk_begin(&b, f->db, &findings);
    for (int64_t i = 0; i < ROWS; i++) {
        uint8_t digest[32] = {(uint8_t)i, (uint8_t)(i >> 8)};
        bulk_i64(&b, i);
        bulk_blob(&b, str_of((const char *)digest, sizeof digest));
        bulk_str(&b, STR("a reason that is some words long"));
        bulk_str(&b, i == ROWS / 2 ? str_of(bytes, LONG_SIZE) : STR("{}"));
        bulk_str(&b, STR("1"));
        bulk_i64(&b, i * i);
    }
    assert_ok(f, db_end(f->db, bulk_end(&b, OK, &f->fail), &f->fail));
    mem_free(bytes);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM finding"), ROWS);
    assert_int_equal(
        store_fixture_number(f, "SELECT max(length(evidence)) FROM finding"), LONG_SIZE);
    assert_int_equal(
        store_fixture_number(f, "SELECT max(found_at) FROM finding"),
        (int64_t)(ROWS - 1) * (ROWS - 1));
}

static void taken_value_fails_the_whole_transaction(void **state)
{
    struct store_fixture *f = *state;
    struct bulk b;
    assert_ok(f, db_begin(f->db, &f->fail));
    bulk_begin(&b, f->db, &members);
    put_member(&b, 1, "a", STR_NULL);
    put_member(&b, 1, "b", STR_NULL);
    put_member(&b, 2, "c", STR_NULL);
    assert_int_equal(bulk_end(&b, OK, &f->fail), ERR_EXISTS);
    assert_int_equal(db_commit(f->db, NULL), ERR_EXISTS);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM member"), 0);
}

static void caller_can_give_up_within_a_row(void **state)
{
    struct store_fixture *f = *state;
    struct bulk b;
    assert_ok(f, db_begin(f->db, &f->fail));
    bulk_begin(&b, f->db, &members);
    put_member(&b, 1, "a", STR_NULL);
    bulk_i64(&b, 2);
    assert_int_equal(bulk_end(&b, ERR_IO, &f->fail), ERR_IO);
    db_rollback(f->db);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM member"), 0);
}

/* PostgreSQL: a machine that hangs keeps its connections. */
static void server_that_takes_nothing_is_not_waited_for_without_end(void **state)
{
    struct store_fixture *f = *state;
    struct bulk b;
    if (!store_fixture_is_postgresql())
        return;
    char *bytes = mem_alloc(LONG_SIZE);
    memset(bytes, 'x', LONG_SIZE);
    pid_t server = (pid_t)store_fixture_number(f, "SELECT CAST(pg_backend_pid() AS BIGINT)");
    assert_ok(f, db_begin(f->db, &f->fail));
    bulk_begin(&b, f->db, &members);
    assert_int_equal(kill(server, SIGSTOP), 0);
    int64_t from_ms = clock_mono_ms();
    for (int i = 1; i <= 20 && !b.err; i++) /* more than a socket holds */
        put_member(&b, i, "a", str_of(bytes, LONG_SIZE));
    enum err err = bulk_end(&b, OK, &f->fail);
    int64_t took_ms = clock_mono_ms() - from_ms;
    kill(server, SIGCONT);
    mem_free(bytes);
    assert_int_equal(err, ERR_UNAVAILABLE);
    assert_true(took_ms >= DB_SILENCE_MS - 1000);
    db_rollback(f->db);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM member"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(rows_are_stored_as_they_were_given),
        store_test(many_rows_and_long_values_pass_the_buffer),
        store_test(taken_value_fails_the_whole_transaction),
        store_test(caller_can_give_up_within_a_row),
        store_test(server_that_takes_nothing_is_not_waited_for_without_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
