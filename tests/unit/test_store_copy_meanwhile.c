/* What happens to both databases while a copy runs, or before it is finished. */
#include "copy_fixture.h"

/* Something happens once, as soon as the copy enters its phase. */
static void enter_phase(void *ctx, int phase)
{
    struct copy_fixture *c = ctx;
    if (c->happens && phase == (int)c->phase)
        c->happens(c);
    if (phase == (int)c->phase)
        c->happens = NULL;
}

static enum err copy_while(
    struct copy_fixture *c, enum copy_phase phase, void (*happens)(struct copy_fixture *c))
{
    const struct progress_hook hook = {.ctx = c, .phase = enter_phase};
    c->phase = phase;
    c->happens = happens;
    enum err err = copy(c, &hook);
    assert_null(c->happens);
    return err;
}

static void cancel_and_write(struct copy_fixture *c)
{
    struct copy_mark mark;
    c->writer = store_fixture_open(c->store);
    assert_ok(c->store, copy_cancel(c->writer, &c->store->arena, &mark, &c->store->fail));
    run_on(c, c->writer, "INSERT INTO meta (name, value) VALUES ('after', 'it')");
}

static void cancel_and_copy_elsewhere(struct copy_fixture *c)
{
    struct copy_report report;
    struct db *from, *to;
    cancel_and_write(c);
    db_close(c->writer);
    c->writer = NULL;
    assert_ok(
        c->store,
        store_open(store_fixture_url(c->store), STORE_COPY_SOURCE, &from, &c->store->fail));
    assert_ok(c->store, store_open(other_url(c, 2), STORE_COPY_TARGET, &to, &c->store->fail));
    assert_ok(c->store, copy_run(from, to, &c->store->arena, NULL, &report, &c->store->fail));
    db_close(from);
    db_close(to);
}

static void copy_that_is_cancelled_meanwhile_ends(void **state)
{
    struct copy_fixture *c = *state;
    struct str url = store_fixture_url(c->store);
    struct copy_mark mark;
    struct db *db;
    fill(c, c->store->db);
    /* PostgreSQL: cancelling waits for the snapshot of a comparison */
    open_pair(c, url, other_url(c, 0));
    enum copy_phase phase = store_fixture_is_postgresql() ? COPY_PHASE_FILL : COPY_PHASE_COMPARE;
    assert_int_equal(copy_while(c, phase, cancel_and_write), ERR_REFUSED);
    assert_non_null(strstr(c->store->fail.text, "this copy was cancelled"));
    run_on(c, c->store->db, "DELETE FROM meta WHERE name = 'after'"); /* it is open */
    assert_ok(c->store, copy_mark_get(c->to, COPY_TARGET, &c->arena, &mark, &c->store->fail));
    assert_int_not_equal(mark.state, COPY_WHOLE);
    close_all(c);
    assert_int_equal(store_open(other_url(c, 0), STORE_MIGRATE, &db, &c->store->fail), ERR_REFUSED);

    /* the next copy ends, and the cancelled one does not touch it */
    open_pair(c, url, other_url(c, 1));
    assert_int_equal(copy_while(c, phase, cancel_and_copy_elsewhere), ERR_REFUSED);
    assert_same(c, url, other_url(c, 2));
    assert_int_equal(db_exec(c->store->db, "DELETE FROM meta", &c->store->fail), ERR_UNAVAILABLE);
}

static void truncate_and_delete(struct copy_fixture *c)
{
    assert_int_equal(db_exec(c->store->db, "TRUNCATE meta", &c->store->fail), ERR_REFUSED);
    assert_non_null(strstr(c->store->fail.text, "use DELETE instead of TRUNCATE"));
    run_on(c, c->store->db, "DELETE FROM meta");
}

static void truncate_is_refused_while_rows_are_noted(void **state)
{
    struct copy_fixture *c = *state;
    if (!store_fixture_is_postgresql())
        skip();
    fill(c, c->store->db);
    open_pair(c, store_fixture_url(c->store), other_url(c, 0));
    assert_ok(c->store, copy_while(c, COPY_PHASE_COMPARE, truncate_and_delete));
    assert_same(c, store_fixture_url(c->store), other_url(c, 0));
}

static void truncate_is_allowed_after_a_copy_was_cancelled(void **state)
{
    struct copy_fixture *c = *state;
    struct copy_mark mark;
    if (!store_fixture_is_postgresql())
        skip();
    fill(c, c->store->db);
    open_pair(c, store_fixture_url(c->store), other_url(c, 0));
    assert_ok(c->store, copy(c, NULL));
    assert_ok(c->store, copy_cancel(c->from, &c->arena, &mark, &c->store->fail));
    run_on(c, c->store->db, "TRUNCATE meta");
}

/* By a newer program. */
static void migrate_source(struct copy_fixture *c)
{
    run_on(
        c, c->store->db,
        "INSERT INTO migration (number, checksum, usable_from) VALUES (9999, 'x', 1)");
}

static void source_that_is_migrated_meanwhile_is_not_moved(void **state)
{
    struct copy_fixture *c = *state;
    struct copy_mark mark;
    fill(c, c->store->db);
    open_pair(c, store_fixture_url(c->store), other_url(c, 0));
    assert_int_equal(copy_while(c, COPY_PHASE_COMPARE, migrate_source), ERR_REFUSED);
    assert_non_null(strstr(c->store->fail.text, "was migrated while it was copied"));
    run_on(c, c->store->db, "DELETE FROM meta");
    assert_ok(c->store, copy_mark_get(c->to, COPY_TARGET, &c->arena, &mark, &c->store->fail));
    assert_int_equal(mark.state, COPY_FILLED);
}

/* As pg_dump does, for as long as it takes. */
static void source_can_be_read_all_the_time(void **state)
{
    struct copy_fixture *c = *state;
    struct copy_report report;
    fill(c, c->store->db);
    open_pair(c, store_fixture_url(c->store), other_url(c, 0));
    assert_ok(c->store, db_begin_read(c->store->db, &c->store->fail));
    assert_int_equal(store_fixture_number(c->store, "SELECT count(*) FROM member"), 200);
    assert_ok(c->store, copy_run(c->from, c->to, &c->arena, NULL, &report, &c->store->fail));
    assert_true(report.read_only_ms < 10000); /* it waited for nobody */
    assert_int_equal(store_fixture_number(c->store, "SELECT count(*) FROM member"), 200);
    db_rollback(c->store->db);
}

static void cut_off_others(struct copy_fixture *c)
{
    assert_true(
        store_fixture_number(
            c->store, "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity"
                      " WHERE datname = current_database() AND pid <> pg_backend_pid()") > 0);
}

/* Another copy could fill the target from then on. */
static void copy_ends_with_the_lock_of_its_target(void **state)
{
    struct copy_fixture *c = *state;
    struct str url = store_fixture_url(c->store);
    struct db *made;
    if (!store_fixture_is_postgresql())
        return;
    assert_ok(c->store, store_open(other_url(c, 0), STORE_MIGRATE, &made, &c->store->fail));
    fill(c, made);
    db_close(made);
    open_pair(c, other_url(c, 0), url);
    assert_int_equal(copy_while(c, COPY_PHASE_FILL, cut_off_others), ERR_UNAVAILABLE);
    assert_non_null(strstr(c->store->fail.text, "run `stockact copy` again"));
    open_pair(c, other_url(c, 0), url);
    assert_ok(c->store, copy(c, NULL));
    assert_same(c, other_url(c, 0), url);
}

/* PostgreSQL: the answer of the COMMIT is missing. */
static void source_is_open_after_its_connection_broke_as_it_closed(void **state)
{
    struct copy_fixture *c = *state;
    struct str url = store_fixture_url(c->store);
    if (!store_fixture_is_postgresql())
        return;
    fill(c, c->store->db);
    run_on(
        c, c->store->db,
        "CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN"
        " PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM pg_sleep(10); RETURN NULL; END "
        "$$;"
        "CREATE CONSTRAINT TRIGGER cut AFTER UPDATE ON copy_mark DEFERRABLE INITIALLY DEFERRED"
        " FOR EACH ROW WHEN (NEW.state = 'closed') EXECUTE FUNCTION cut()");
    open_pair(c, url, other_url(c, 0));
    assert_int_equal(copy(c, NULL), ERR_UNAVAILABLE);
    assert_null(strstr(c->store->fail.text, "no changes"));
    run_on(c, c->store->db, "DELETE FROM meta; DROP FUNCTION cut() CASCADE");
    assert_ok(c->store, copy(c, NULL));
    assert_same(c, url, other_url(c, 0));
}

static void source_is_opened_while_it_is_copied(void **state)
{
    struct copy_fixture *c = *state;
    const struct copy_mark mark = {COPY_FOLLOWING, STR("0123456789abcdef"), STR("the-other"), 1};
    struct db *db;
    assert_ok(c->store, copy_mark_set(c->store->db, COPY_SOURCE, &mark, &c->store->fail));
    for (int mode = STORE_READ; mode <= STORE_MIGRATE; mode++) {
        assert_ok(
            c->store,
            store_open(store_fixture_url(c->store), (enum store_mode)mode, &db, &c->store->fail));
        db_close(db);
    }
}

/* The reason why the store is not opened to be migrated, or NULL. */
static const char *refused(struct copy_fixture *c)
{
    struct db *db;
    enum err err = store_open(store_fixture_url(c->store), STORE_MIGRATE, &db, &c->store->fail);
    if (err)
        assert_int_equal(err, ERR_REFUSED);
    else
        db_close(db);
    return err ? c->store->fail.text : NULL;
}

static void half_of_a_copy_is_not_migrated(void **state)
{
    struct copy_fixture *c = *state;
    struct copy_mark mark = {COPY_FILLING, STR("0123456789abcdef"), STR("the-other"), 1};
    const char *newest = "DELETE FROM migration WHERE number = (SELECT max(number) FROM migration)";
    assert_ok(c->store, copy_mark_set(c->store->db, COPY_TARGET, &mark, &c->store->fail));
    migrate_source(c); /* newer than this program */
    assert_non_null(strstr(refused(c), "unfinished copy of the-other"));
    run_on(c, c->store->db, newest);
    run_on(c, c->store->db, newest); /* older */
    int64_t steps = store_fixture_number(c->store, "SELECT count(*) FROM migration");
    assert_non_null(strstr(refused(c), "unfinished copy of the-other"));

    assert_ok(c->store, copy_mark_remove(c->store->db, COPY_TARGET, &c->store->fail));
    mark.state = COPY_CLOSED;
    assert_ok(c->store, copy_mark_set(c->store->db, COPY_SOURCE, &mark, &c->store->fail));
    assert_non_null(strstr(refused(c), "moved to the-other"));
    mark.state = COPY_FOLLOWING;
    assert_ok(c->store, copy_mark_set(c->store->db, COPY_SOURCE, &mark, &c->store->fail));
    assert_non_null(strstr(refused(c), "being copied to the-other"));
    assert_int_equal(store_fixture_number(c->store, "SELECT count(*) FROM migration"), steps);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        copy_test(copy_that_is_cancelled_meanwhile_ends),
        copy_test(truncate_is_refused_while_rows_are_noted),
        copy_test(truncate_is_allowed_after_a_copy_was_cancelled),
        copy_test(source_that_is_migrated_meanwhile_is_not_moved),
        copy_test(source_can_be_read_all_the_time),
        copy_test(copy_ends_with_the_lock_of_its_target),
        copy_test(source_is_open_after_its_connection_broke_as_it_closed),
        copy_test(source_is_opened_while_it_is_copied),
        copy_test(half_of_a_copy_is_not_migrated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
