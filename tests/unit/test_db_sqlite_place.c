/* An SQLite file that is moved, deleted or replaced while it is open (db/db_driver.h). */
#include "store_fixture.h"

#include "db/writer.h"
#include "store/row/meta.h"

/* The path of another file in the database's folder. */
static const char *beside(struct store_fixture *f, const char *name)
{
    return arena_fmt(&f->arena, "%s/%s", f->folder, name).p;
}

static void move(struct store_fixture *f, const char *from, const char *to)
{
    assert_int_equal(rename(beside(f, from), beside(f, to)), 0);
}

static enum err note(struct store_fixture *f, struct db *db, const char *name)
{
    return meta_set(db, str_from(name), STR("x"), &f->fail);
}

static int64_t notes(struct store_fixture *f)
{
    return store_fixture_number(f, "SELECT count(*) FROM meta WHERE name LIKE 'note%'");
}

static bool is_gone(struct store_fixture *f)
{
    return note(f, f->db, "note lost") == ERR_UNAVAILABLE;
}

static void moved_file_is_closed_and_reopened_when_back(void **state)
{
    struct store_fixture *f = *state;
    assert_ok(f, note(f, f->db, "note 1"));
    move(f, "test.db", "away.db");
    assert_true(is_gone(f));
    assert_int_equal(db_begin(f->db, &f->fail), ERR_UNAVAILABLE);
    assert_int_equal(access(beside(f, "test.db"), F_OK), -1); /* and not recreated */
    move(f, "away.db", "test.db");
    assert_ok(f, note(f, f->db, "note 2"));
    assert_int_equal(notes(f), 2);
}

static void moved_file_takes_its_log_along(void **state)
{
    struct store_fixture *f = *state;
    assert_ok(f, note(f, f->db, "note 1"));
    move(f, "test.db", "away.db");
    assert_true(is_gone(f));
    assert_int_equal(access(beside(f, "test.db-wal"), F_OK), -1);
    struct db *db = NULL;
    struct str url = arena_fmt(&f->arena, "sqlite:%s", beside(f, "away.db"));
    assert_ok(f, store_open(url, STORE_WRITE, &db, &f->fail));
    assert_ok(f, note(f, db, "note 2"));
    db_close(db);
    assert_int_equal(access(beside(f, "away.db-wal"), F_OK), -1);
    move(f, "away.db", "test.db");
    assert_int_equal(notes(f), 2);
}

static void transaction_fails_when_its_file_is_replaced(void **state)
{
    struct store_fixture *f = *state;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, note(f, f->db, "note 1"));
    move(f, "test.db", "away.db");
    assert_int_equal(db_commit(f->db, &f->fail), ERR_UNAVAILABLE);
    assert_false(db_in_transaction(f->db));
    move(f, "away.db", "test.db");
    assert_int_equal(notes(f), 0);
}

static void replacement_file_is_not_opened(void **state)
{
    struct store_fixture *f = *state;
    struct db *second = store_fixture_open(f), *other = NULL; /* as in a server */
    struct str url = arena_fmt(&f->arena, "sqlite:%s", beside(f, "new.db"));
    assert_ok(f, note(f, second, "note 1"));
    assert_ok(f, store_open(url, STORE_MIGRATE, &other, &f->fail));
    assert_ok(f, note(f, other, "note of the other file"));
    db_close(other);
    move(f, "test.db", "away.db");
    move(f, "new.db", "test.db");
    assert_true(is_gone(f));
    assert_int_equal(note(f, second, "note lost"), ERR_UNAVAILABLE);
    assert_non_null(strstr(f->fail.text, "after a restart"));
    move(f, "test.db", "new.db");
    move(f, "away.db", "test.db");
    assert_ok(f, note(f, second, "note 2"));
    assert_int_equal(notes(f), 2);
    assert_ok(f, store_open(url, STORE_WRITE, &other, &f->fail));
    db_close(other);
    db_close(second);
    unlink(beside(f, "new.db"));
}

static enum err write_note(struct db *db, void *ctx, struct fail *fail)
{
    return meta_set(db, str_from(ctx), STR("x"), fail);
}

static void writer_recovers_when_file_is_back(void **state)
{
    struct store_fixture *f = *state;
    const struct writer_config config = {.url = store_fixture_url(f)};
    struct writer *w;
    char first[] = "note 1", second[] = "note 2", third[] = "note 3";
    assert_ok(f, writer_start(&config, &w, &f->fail));
    assert_ok(f, writer_call(w, WRITER_PUBLISH, write_note, first, &f->fail));
    move(f, "test.db", "away.db");
    assert_int_equal(writer_call(w, WRITER_PUBLISH, write_note, second, &f->fail), ERR_UNAVAILABLE);
    move(f, "away.db", "test.db");
    assert_ok(f, writer_call(w, WRITER_PUBLISH, write_note, third, &f->fail));
    writer_stop(w);
    assert_int_equal(notes(f), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(moved_file_is_closed_and_reopened_when_back),
        store_test(moved_file_takes_its_log_along),
        store_test(transaction_fails_when_its_file_is_replaced),
        store_test(replacement_file_is_not_opened),
        store_test(writer_recovers_when_file_is_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
