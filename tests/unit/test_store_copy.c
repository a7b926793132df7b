/* Copies of a database into another one: its tables, its rows and its marks. */
#include "copy_fixture.h"

#include "db/migrate.h"
#include "store/copy/copy_guard.h"
#include "store/copy/copy_row.h"

enum { NAME_COUNT_MAX = 100 };

/* The schema */

static void every_table_is_copied_or_left_out_by_name(void **state)
{
    struct copy_fixture *c = *state;
    struct copy_schema schema;
    assert_ok(c->store, copy_schema_read(c->store->db, &c->arena, &schema, &c->store->fail));
    struct query q;
    size_t copied = 0, left_out = 0;
    query_start(
        &q, c->store->db,
        db_kind(c->store->db) == DB_SQLITE
            ? "SELECT name FROM sqlite_schema WHERE type = 'table'"
            : "SELECT CAST(tablename AS TEXT) FROM pg_tables WHERE schemaname = 'stockact'");
    while (query_row(&q)) {
        struct str name = query_get_str(&q, 0);
        if (copy_schema_leaves_out(name))
            left_out++;
        else if (copy_schema_find(&schema, name))
            copied++;
        else
            fail_msg("table %.*s is not copied", STR_ARG(name));
    }
    assert_ok(c->store, query_end(&q, &c->store->fail));
    assert_int_equal(copied, schema.count);
    assert_int_equal(left_out, 5);
}

static void both_databases_have_the_same_schema(void **state)
{
    struct copy_fixture *c = *state;
    struct copy_schema a, b;
    assert_ok(c->store, store_open(other_url(c, 0), STORE_MIGRATE, &c->to, &c->store->fail));
    assert_ok(c->store, copy_schema_read(c->store->db, &c->arena, &a, &c->store->fail));
    assert_ok(c->store, copy_schema_read(c->to, &c->arena, &b, &c->store->fail));
    assert_ok(c->store, copy_schema_compare(&a, &b, &c->store->fail));
    run_on(c, c->to, "ALTER TABLE typed ADD COLUMN more TEXT");
    assert_ok(c->store, copy_schema_read(c->to, &c->arena, &b, &c->store->fail));
    assert_int_equal(copy_schema_compare(&a, &b, &c->store->fail), ERR_REFUSED);
    assert_non_null(strstr(c->store->fail.text, "typed"));
}

/* Three rows: 1 and 2 have a value in each column, 3 has nulls where they are allowed. */
static void fill_table(struct copy_fixture *c, struct db *db, struct str table)
{
    struct buf sql;
    struct query q;
    buf_init(&sql, 1 << 16);
    for (int row = 1; row <= 3; row++) {
        buf_fmt(&sql, "INSERT INTO %.*s VALUES (", STR_ARG(table));
        query_start(&q, db, "SELECT type, \"notnull\" OR pk FROM pragma_table_xinfo($1)");
        query_str(&q, table);
        for (int i = 0; query_row(&q); i++) {
            struct str type = query_get_str(&q, 0);
            bool number = str_eq(type, STR("INTEGER")), text = str_eq(type, STR("TEXT"));
            if (!number && !text && !str_eq(type, STR("BLOB")))
                fail_msg("a column of %.*s has a new type", STR_ARG(table));
            buf_fmt(&sql, "%s", i ? ", " : "");
            if (row == 3 && !query_get_i64(&q, 1))
                buf_text(&sql, "NULL");
            else
                buf_fmt(&sql, number ? "%d" : text ? "'t%d'" : "x'0%d'", row);
        }
        assert_ok(c->store, query_end(&q, &c->store->fail));
        buf_text(&sql, ");");
    }
    buf_char(&sql, '\0');
    run_on(c, db, sql.p);
    buf_finish(&sql);
}

/* By other means than the copy's: it must not forget what a migration adds. */
static void every_column_of_every_table_arrives(void **state)
{
    static const char *const own[] = {
        "migration", "node", "copy_mark", "copy_change", "copy_later"};
    struct copy_fixture *c = *state;
    struct str names[NAME_COUNT_MAX];
    struct query q;
    size_t n = 0;
    struct db *made;
    assert_ok(c->store, store_open(other_url(c, 0), STORE_MIGRATE, &made, &c->store->fail));
    db_close(made);
    open_pair(c, other_url(c, 0), other_url(c, 1));
    run_on(c, c->from, "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
    run_on(c, c->to, "PRAGMA ignore_check_constraints = ON");
    query_start(
        &q, c->from,
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'");
    while (query_row(&q)) {
        bool skip = false;
        for (size_t i = 0; i < sizeof own / sizeof *own; i++)
            skip = skip || str_eq(query_get_str(&q, 0), str_from(own[i]));
        if (!skip)
            names[n++] = arena_str(&c->store->arena, query_get_str(&q, 0));
    }
    assert_ok(c->store, query_end(&q, &c->store->fail));
    assert_true(n > 50);
    for (size_t i = 0; i < n; i++)
        fill_table(c, c->from, names[i]);
    assert_ok(c->store, copy(c, NULL));
    run_on(
        c, c->from,
        arena_fmt(
            &c->store->arena, "ATTACH '%.*s' AS copy",
            STR_ARG(str_slice(other_url(c, 1), strlen("sqlite:"), other_url(c, 1).n)))
            .p);
    for (size_t i = 0; i < n; i++) {
        struct str sql = arena_fmt(
            &c->store->arena,
            "SELECT (SELECT count(*) FROM copy.%.*s) >= 3 AND NOT EXISTS"
            " (SELECT * FROM main.%.*s EXCEPT SELECT * FROM copy.%.*s)",
            STR_ARG(names[i]), STR_ARG(names[i]), STR_ARG(names[i]));
        if (store_fixture_number_in(c->store, c->from, sql.p) != 1)
            fail_msg("the rows of %.*s did not arrive", STR_ARG(names[i]));
    }
}

/* The keys of all rows of a table, as the copy reads them. */
static void assert_noted(struct copy_fixture *c, const struct copy_table *table)
{
    struct buf key;
    struct query q;
    struct str keys[NAME_COUNT_MAX];
    size_t n = 0;
    buf_init(&key, COPY_KEY_SIZE_MAX);
    query_start(&q, c->store->db, table->first);
    query_i64(&q, NAME_COUNT_MAX);
    while (query_row(&q)) {
        copy_row_key(&key, &q, table);
        keys[n++] = arena_str(&c->store->arena, buf_view(&key));
    }
    assert_ok(c->store, query_end(&q, &c->store->fail));
    buf_finish(&key);
    assert_true(n > 0);
    for (size_t i = 0; i < n; i++) {
        query_start(
            &q, c->store->db, "SELECT count(*) FROM copy_change WHERE name = $1 AND key = $2");
        query_str(&q, table->name);
        query_str(&q, keys[i]);
        assert_true(query_row(&q));
        if (query_get_i64(&q, 0) != 1)
            fail_msg("%.*s %.*s is not noted", STR_ARG(table->name), STR_ARG(keys[i]));
        assert_ok(c->store, query_end(&q, &c->store->fail));
        if (i > 0)
            assert_true(copy_row_compare_keys(table, keys[i - 1], keys[i]) < 0);
    }
}

static void triggers_note_keys_as_the_copy_reads_them(void **state)
{
    static const struct str names[] = {
        STR_INIT("meta"), STR_INIT("month_count"), STR_INIT("action_log"), STR_INIT("member_term")};
    struct copy_fixture *c = *state;
    struct copy_schema schema;
    assert_ok(c->store, copy_schema_read(c->store->db, &c->arena, &schema, &c->store->fail));
    assert_ok(c->store, copy_guard_note(c->store->db, &schema, NULL, NULL, &c->store->fail));
    fill(c, c->store->db);
    run_on(c, c->store->db, "DELETE FROM member_term WHERE member_no > 90");
    run_on(c, c->store->db, "DELETE FROM copy_change WHERE name = 'member_term'");
    run_on(c, c->store->db, "UPDATE member_term SET position = position + 1");
    run_on(
        c, c->store->db,
        "DELETE FROM copy_change WHERE no NOT IN (SELECT min(no) FROM copy_change GROUP BY name, "
        "key)");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_noted(c, copy_schema_find(&schema, names[i]));
    assert_int_equal(/* the old keys too */
                     store_fixture_number(
                         c->store, "SELECT count(*) FROM copy_change WHERE name = 'member_term'"),
                     180);
    assert_ok(c->store, copy_guard_open(c->store->db, &schema, NULL, NULL, &c->store->fail));
    run_on(c, c->store->db, "DELETE FROM copy_change");
    run_on(c, c->store->db, "DELETE FROM meta");
    assert_int_equal(store_fixture_number(c->store, "SELECT count(*) FROM copy_change"), 0);
}

/* Copying */

static void there_and_back_gives_the_same_rows(void **state)
{
    struct copy_fixture *c = *state;
    struct str url = store_fixture_url(c->store);
    fill(c, c->store->db);
    run_on(c, c->store->db, "UPDATE counter SET value = 77 WHERE name = 'change'");
    open_pair(c, url, other_url(c, 0));
    assert_ok(c->store, copy(c, NULL));
    assert_same(c, url, other_url(c, 0));

    if (store_fixture_is_postgresql()) { /* back into the same server */
        db_close(c->store->db);
        close_all(c);
        assert_ok(c->store, store_fixture_prepare(c->store, "DROP SCHEMA stockact CASCADE"));
        open_pair(c, other_url(c, 0), url);
        assert_ok(c->store, copy(c, NULL));
        assert_same(c, other_url(c, 0), url);
        assert_ok(c->store, store_open(url, STORE_WRITE, &c->store->db, &c->store->fail));
        run_on(c, c->store->db, "INSERT INTO member (id, slug, name) VALUES ('new', 'new', 'N')");
        assert_int_equal(
            store_fixture_number(c->store, "SELECT no FROM member WHERE id = 'new'"), 201);
        assert_int_equal(
            db_exec(c->store->db, "DELETE FROM action_log", &c->store->fail), ERR_REFUSED);
        assert_int_equal(
            db_exec(
                c->store->db, "UPDATE member_term SET member_no = 999 WHERE member_no = 1",
                &c->store->fail),
            ERR_REFUSED);
    } else {
        open_pair(c, other_url(c, 0), other_url(c, 1));
        assert_ok(c->store, copy(c, NULL));
        assert_same(c, url, other_url(c, 1));
    }
}

/* Another program works on the source while the copy runs. */
static void write_meanwhile(void *ctx, int64_t done, int64_t total)
{
    struct copy_fixture *c = ctx;
    int i = ++c->writes;
    if (i > 400 || i % 7 != 0 || !c->writer)
        return;
    struct str sql = arena_fmt(
        &c->store->arena, "INSERT INTO member (id, slug, name) VALUES ('late%d', 'late%d', 'Late')",
        i, i);
    run_on(c, c->writer, sql.p);
    sql = arena_fmt(&c->store->arena, "DELETE FROM member_term WHERE member_no = %d", i / 7);
    run_on(c, c->writer, sql.p);
    /* the unique slug of one row goes to another one, past what was copied and before it */
    sql = arena_fmt(
        &c->store->arena, "UPDATE member SET slug = 'free%d' WHERE no = %d", i, 1 + i % 150);
    run_on(c, c->writer, sql.p);
    sql = arena_fmt(
        &c->store->arena, "UPDATE member SET slug = 'slug-%d' WHERE no = %d", 1 + i % 150,
        200 - i % 40);
    enum err taken = db_exec(c->writer, sql.p, &c->store->fail);
    assert_true(taken == OK || taken == ERR_EXISTS);
}

static void changes_made_meanwhile_are_taken_over(void **state)
{
    struct copy_fixture *c = *state;
    struct str url = store_fixture_url(c->store);
    fill(c, c->store->db);
    open_pair(c, url, other_url(c, 0));
    c->writer = store_fixture_open(c->store);
    const struct progress_hook hook = {.fn = write_meanwhile, .ctx = c};
    struct copy_report report;
    assert_ok(c->store, copy_run(c->from, c->to, &c->arena, &hook, &report, &c->store->fail));
    assert_true(report.changed > 100);
    assert_true(c->writes > 400);
    assert_same(c, url, other_url(c, 0));
    assert_int_equal(store_fixture_number_in(c->store, c->to, "SELECT count(*) FROM member"), 257);
}

static void moved_database_refuses_changes_until_the_copy_is_cancelled(void **state)
{
    struct copy_fixture *c = *state;
    struct str url = store_fixture_url(c->store);
    struct copy_mark mark;
    struct db *db;
    fill(c, c->store->db);
    open_pair(c, url, other_url(c, 0));
    assert_ok(c->store, copy(c, NULL));
    assert_int_equal(db_exec(c->store->db, "DELETE FROM meta", &c->store->fail), ERR_UNAVAILABLE);
    assert_non_null(strstr(c->store->fail.text, "was moved"));
    assert_int_equal(store_open(url, STORE_MIGRATE, &db, &c->store->fail), ERR_REFUSED);
    assert_non_null(strstr(c->store->fail.text, "other0.db"));
    assert_ok(c->store, store_open(url, STORE_READ, &db, &c->store->fail));
    db_close(db);
    assert_ok(c->store, copy(c, NULL)); /* again: nothing to do */
    assert_ok(c->store, copy_cancel(c->from, &c->arena, &mark, &c->store->fail));
    assert_int_equal(mark.state, COPY_CLOSED);
    run_on(c, c->store->db, "DELETE FROM meta");
    assert_int_equal(copy_cancel(c->from, &c->arena, &mark, &c->store->fail), ERR_NOT_FOUND);
}

static void target_that_holds_rows_is_refused_and_nothing_changes(void **state)
{
    struct copy_fixture *c = *state;
    struct copy_mark mark;
    assert_ok(c->store, store_open(other_url(c, 0), STORE_MIGRATE, &c->to, &c->store->fail));
    run_on(c, c->to, "INSERT INTO meta (name, value) VALUES ('data', 'real')");
    open_pair(c, store_fixture_url(c->store), other_url(c, 0));
    assert_int_equal(copy(c, NULL), ERR_EXISTS);
    assert_non_null(strstr(c->store->fail.text, "table meta has rows"));
    assert_ok(c->store, copy_mark_get(c->from, COPY_SOURCE, &c->arena, &mark, &c->store->fail));
    assert_int_equal(mark.state, COPY_NONE);
    open_pair(c, store_fixture_url(c->store), store_fixture_url(c->store));
    assert_int_equal(copy(c, NULL), ERR_REFUSED);
}

static void unfinished_copy_is_not_opened(void **state)
{
    struct copy_fixture *c = *state;
    struct db *db;
    const struct copy_mark mark = {COPY_FILLED, STR("0123456789abcdef"), STR("the-other"), 1};
    assert_ok(c->store, copy_mark_set(c->store->db, COPY_TARGET, &mark, &c->store->fail));
    for (int mode = STORE_READ; mode <= STORE_MIGRATE; mode++) {
        enum err err =
            store_open(store_fixture_url(c->store), (enum store_mode)mode, &db, &c->store->fail);
        assert_int_equal(err, ERR_REFUSED);
        assert_non_null(strstr(c->store->fail.text, "the-other"));
    }
    open_pair(c, store_fixture_url(c->store), other_url(c, 0));
    close_all(c);
    open_pair(c, other_url(c, 0), store_fixture_url(c->store));
    assert_int_equal(copy(c, NULL), ERR_REFUSED);
}

/* An empty text is the only key of a table that an interrupted copy has filled. */
static void interrupted_copy_continues_after_an_empty_key(void **state)
{
    struct copy_fixture *c = *state;
    struct str to = other_url(c, 0);
    fill(c, c->store->db);
    run_on(c, c->store->db, "DELETE FROM meta WHERE name <> ''");
    open_pair(c, store_fixture_url(c->store), to);
    run_on(c, c->to, "CREATE UNIQUE INDEX stops ON month_count ((month * 0))");
    assert_int_equal(copy(c, NULL), ERR_EXISTS);
    open_pair(c, store_fixture_url(c->store), to);
    run_on(c, c->to, "DROP INDEX stops");
    assert_ok(c->store, copy(c, NULL));
    assert_same(c, store_fixture_url(c->store), to);
}

/* A copy that is killed in its first moments has given its target some steps of the schema. */
static void copy_continues_into_a_target_with_a_part_of_the_schema(void **state)
{
    struct copy_fixture *c = *state;
    const struct db_options options = {.create = true};
    const int steps[COPY_OTHERS] = {1, 20, migrate_latest() - 1};
    fill(c, c->store->db);
    for (int i = 0; i < COPY_OTHERS; i++) {
        struct copy_mark mark;
        struct db *part;
        assert_ok(c->store, db_open(other_url(c, i), &options, &part, &c->store->fail));
        assert_ok(c->store, migrate_run(part, steps[i], NULL, NULL, &c->store->fail));
        db_close(part);
        open_pair(c, store_fixture_url(c->store), other_url(c, i));
        assert_ok(c->store, copy(c, NULL));
        assert_same(c, store_fixture_url(c->store), other_url(c, i));
        close_all(c);
        open_pair(c, store_fixture_url(c->store), other_url(c, i));
        assert_ok(c->store, copy_cancel(c->from, &c->arena, &mark, &c->store->fail));
    }
}

/* A database in use is not migrated by mistake. */
static void older_target_with_rows_is_refused(void **state)
{
    struct copy_fixture *c = *state;
    const struct db_options options = {.create = true};
    struct db *older;
    assert_ok(c->store, db_open(other_url(c, 0), &options, &older, &c->store->fail));
    assert_ok(c->store, migrate_run(older, 40, NULL, NULL, &c->store->fail));
    run_on(c, older, "INSERT INTO meta (name, value) VALUES ('data', 'real')");
    db_close(older);
    assert_int_equal(
        store_open(other_url(c, 0), STORE_COPY_TARGET, &c->to, &c->store->fail), ERR_REFUSED);
    assert_non_null(strstr(c->store->fail.text, "older than this program"));
}

static void differing_row_is_named(void **state)
{
    struct copy_fixture *c = *state;
    struct copy_report report;
    fill(c, c->store->db);
    open_pair(c, store_fixture_url(c->store), other_url(c, 0));
    assert_ok(c->store, copy(c, NULL));
    run_on(c, c->to, "UPDATE month_count SET used = 4 WHERE month = 1");
    assert_int_equal(
        copy_compare(c->from, c->to, &c->arena, NULL, &report, &c->store->fail), ERR_CORRUPT);
    assert_non_null(strstr(c->store->fail.text, "the row month_count 1 key 00ff differs"));
    run_on(c, c->to, "DELETE FROM month_count WHERE month = 1");
    assert_int_equal(
        copy_compare(c->from, c->to, &c->arena, NULL, &report, &c->store->fail), ERR_CORRUPT);
    assert_non_null(strstr(c->store->fail.text, "the row month_count 1 key 00ff differs"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        copy_test(every_table_is_copied_or_left_out_by_name),
        copy_test(both_databases_have_the_same_schema),
        copy_test(every_column_of_every_table_arrives),
        copy_test(triggers_note_keys_as_the_copy_reads_them),
        copy_test(there_and_back_gives_the_same_rows),
        copy_test(changes_made_meanwhile_are_taken_over),
        copy_test(moved_database_refuses_changes_until_the_copy_is_cancelled),
        copy_test(target_that_holds_rows_is_refused_and_nothing_changes),
        copy_test(unfinished_copy_is_not_opened),
        copy_test(interrupted_copy_continues_after_an_empty_key),
        copy_test(copy_continues_into_a_target_with_a_part_of_the_schema),
        copy_test(older_target_with_rows_is_refused),
        copy_test(differing_row_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
