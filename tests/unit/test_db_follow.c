/* `stockact backup --follow`: a folder gives the database back as it was at each look, whatever
 * other programs did with the write-ahead log. SQLite only. */
#include "store_fixture.h"

#include <errno.h>
#include <sys/stat.h>

#include "base/crypto.h"
#include "db/backup.h"
#include "db/backup_follow.h"
#include "db/restore.h"
#include "store/row/meta.h"

enum { STEPS = 400, LARGE = 3000, KEEP = 3 };

static const struct progress_hook quiet;

struct follow_test {
    struct store_fixture *f;
    struct backup_follow *follow;
    struct str folder;
    struct db *reader; /* another program, which sometimes holds a transaction */
    int64_t now_ms;
    int marks;
    int copies;
    struct {
        int64_t at;
        int marks;
    } looks[STEPS + 200];
    size_t look_count;
};

static void add_marks(struct follow_test *t, int count)
{
    assert_ok(t->f, db_begin(t->f->db, &t->f->fail));
    for (int i = 0; i < count; i++) {
        char name[64];
        snprintf(name, sizeof name, "mark %d of a length that fills pages sooner", t->marks++);
        assert_ok(t->f, meta_set(t->f->db, str_from(name), str_from(name), &t->f->fail));
    }
    assert_ok(t->f, db_commit(t->f->db, &t->f->fail));
}

static bool look(struct follow_test *t)
{
    bool whole = false;
    assert_ok(t->f, backup_follow_look(t->follow, t->now_ms, &whole, &t->f->fail));
    t->copies += whole;
    t->looks[t->look_count].at = t->now_ms++;
    t->looks[t->look_count++].marks = t->marks;
    return whole;
}

static int64_t marks_at(struct follow_test *t, int64_t at)
{
    struct store_fixture *f = t->f;
    struct str copy, url;
    struct db *db;
    int64_t reached = 0;
    const char *path = arena_fmt(&f->arena, "%s/back.db", f->folder).p;
    if (backup_follow_find(t->folder, at, &f->arena, &copy, &f->fail) == ERR_NOT_FOUND)
        return -1;
    assert_ok(f, restore_begin(copy.p, path, &quiet, &f->arena, &url, &f->fail));
    assert_ok(f, backup_follow_apply(copy, url.p + strlen("sqlite:"), at, &reached, &f->fail));
    assert_ok(f, store_open(url, STORE_READ, &db, &f->fail));
    int64_t marks =
        store_fixture_number_in(f, db, "SELECT count(*) FROM meta WHERE name LIKE 'mark %'");
    assert_int_equal(
        store_fixture_number_in(
            f, db, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"),
        1);
    db_close(db);
    restore_drop(path);
    return marks;
}

static void try_checkpoint(struct follow_test *t, const char *mode)
{
    struct fail unused;
    enum err ignored = db_exec(t->f->db, arena_fmt(&t->f->arena, "PRAGMA %s", mode).p, &unused);
    (void)ignored; /* busy: somebody reads */
}

static void toggle_reader(struct follow_test *t)
{
    if (db_in_transaction(t->reader)) {
        db_rollback(t->reader);
        return;
    }
    assert_ok(t->f, db_begin_read(t->reader, &t->f->fail));
    store_fixture_number_in(t->f, t->reader, "SELECT count(*) FROM meta");
}

static int chance(int sides)
{
    uint16_t drawn;
    random_bytes(&drawn, sizeof drawn);
    return drawn % sides;
}

static void step(struct follow_test *t)
{
    switch (chance(9)) {
    case 0:
        add_marks(t, LARGE);
        break;
    case 1:
        try_checkpoint(t, "wal_checkpoint(PASSIVE)");
        break;
    case 2:
        try_checkpoint(t, "wal_checkpoint(TRUNCATE)");
        break;
    case 3:
        try_checkpoint(t, "wal_checkpoint(RESTART)");
        break;
    case 4:
        toggle_reader(t);
        break;
    case 5:
    case 6:
        look(t);
        break;
    default:
        add_marks(t, 1);
    }
}

static void begin(struct follow_test *t, struct store_fixture *f)
{
    *t = (struct follow_test){.f = f, .now_ms = INT64_C(1790000000000)};
    t->folder = arena_fmt(&f->arena, "%s/followed", f->folder);
    assert_int_equal(mkdir(t->folder.p, 0700), 0);
    t->reader = store_fixture_open(f);
    assert_ok(f, db_exec(f->db, "PRAGMA busy_timeout = 0", &f->fail));
    assert_ok(f, backup_follow_start(store_fixture_url(f), t->folder, KEEP, &t->follow, &f->fail));
}

static void end(struct follow_test *t)
{
    struct backup_list files;
    backup_follow_stop(t->follow);
    db_close(t->reader);
    assert_ok(t->f, backup_list(t->folder, "*", &t->f->arena, &files, &t->f->fail));
    for (int i = 0; i < files.count; i++)
        unlink(files.files[i].p); /* "." and ".." stay */
    assert_int_equal(rmdir(t->folder.p), 0);
}

static void database_is_as_it_was_at_each_look(void **state)
{
    struct store_fixture *f = *state;
    static struct follow_test t;
    if (store_fixture_is_postgresql())
        skip();
    begin(&t, f);
    for (int copy = 0; copy < 4; copy++) {
        t.now_ms += DAY_MS;
        t.look_count = copy ? t.look_count : 0;
        for (int i = 0; i < STEPS / 4; i++)
            step(&t);
    }
    backup_follow_stop(t.follow);
    t.follow = NULL;
    assert_true(t.copies >= 4);
    int tried = 0;
    for (size_t i = 0; i < t.look_count; i += 1 + t.look_count / 60) {
        int64_t marks = marks_at(&t, t.looks[i].at);
        if (marks >= 0)
            assert_int_equal(marks, t.looks[i].marks);
        tried += marks >= 0;
    }
    assert_true(tried > 5);
    assert_int_equal(marks_at(&t, INT64_MAX), t.looks[t.look_count - 1].marks);
    end(&t);
}

static void log_does_not_grow_while_there_are_pauses(void **state)
{
    struct store_fixture *f = *state;
    static struct follow_test t;
    struct stat st;
    if (store_fixture_is_postgresql())
        skip();
    begin(&t, f);
    assert_true(look(&t)); /* it makes a copy */
    for (int i = 0; i < 60; i++) {
        add_marks(&t, LARGE);
        look(&t);
    }
    assert_int_equal(stat(arena_fmt(&f->arena, "%s/test.db-wal", f->folder).p, &st), 0);
    assert_true(st.st_size < 16 << 20); /* of 60 times as many pages */
    end(&t);
}

static void half_written_or_changed_record_is_not_applied(void **state)
{
    struct store_fixture *f = *state;
    static struct follow_test t;
    struct str copy;
    struct stat st;
    if (store_fixture_is_postgresql())
        skip();
    begin(&t, f);
    assert_true(look(&t)); /* it makes a copy */
    for (int i = 0; i < 3; i++) {
        add_marks(&t, 10);
        look(&t);
    }
    backup_follow_stop(t.follow);
    t.follow = NULL;
    assert_ok(f, backup_follow_find(t.folder, INT64_MAX, &f->arena, &copy, &f->fail));
    const char *log = arena_fmt(&f->arena, "%.*slog", (int)copy.n - 2, copy.p).p;
    assert_int_equal(marks_at(&t, INT64_MAX), 30);
    assert_int_equal(stat(log, &st), 0);
    assert_int_equal(truncate(log, st.st_size - 1), 0);
    assert_int_equal(marks_at(&t, INT64_MAX), 20);
    FILE *file = fopen(log, "r+");
    assert_int_equal(fseek(file, -5000, SEEK_END), 0); /* in a page of the last record */
    int byte = fgetc(file);
    fseek(file, -1, SEEK_CUR);
    fputc(byte ^ 1, file);
    fclose(file);
    assert_int_equal(marks_at(&t, INT64_MAX), 20);
    end(&t);
}

static void second_follower_is_refused(void **state)
{
    struct store_fixture *f = *state;
    static struct follow_test t;
    struct backup_follow *other;
    if (store_fixture_is_postgresql())
        skip();
    begin(&t, f);
    assert_int_equal(
        backup_follow_start(store_fixture_url(f), t.folder, KEEP, &other, &f->fail), ERR_BUSY);
    backup_follow_stop(t.follow);
    t.follow = NULL;
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(database_is_as_it_was_at_each_look),
        store_test(log_does_not_grow_while_there_are_pauses),
        store_test(half_written_or_changed_record_is_not_applied),
        store_test(second_follower_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
