/* Change notices and running servers. */
#include "store_fixture.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>

#include "store/row/change.h"
#include "store/row/node.h"

enum { WRITERS = 4, NOTICES_EACH = 50 };

static int64_t add(struct store_fixture *f, const char *noun, const char *key)
{
    int64_t seq = 0;
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, change_add(f->db, str_from(noun), str_from(key), &seq, &f->fail));
    assert_ok(f, db_commit(f->db, &f->fail));
    return seq;
}

struct seen {
    struct db *db; /* queried inside the visit */
    int64_t count;
    int64_t last;
    bool gap;
};

static void see(void *ctx, int64_t seq, struct str noun, struct str key)
{
    struct seen *seen = ctx;
    seen->gap = seen->gap || seq != seen->last + 1;
    seen->last = seq;
    seen->count++;
    if (seen->db) {
        int64_t newest;
        struct fail fail;
        assert_int_equal(change_last(seen->db, &newest, &fail), OK);
        assert_true(newest >= seq);
    }
}

static void notices_are_numbered_from_one_without_holes(void **state)
{
    struct store_fixture *f = *state;
    assert_int_equal(add(f, "key", "k1"), 1);
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, change_add(f->db, STR("key"), STR("lost"), NULL, &f->fail));
    db_rollback(f->db);
    assert_int_equal(add(f, "key", "k2"), 2);
    struct seen seen = {.db = f->db};
    int64_t last = 0;
    assert_ok(f, change_read(f->db, 0, see, &seen, &last, &f->fail));
    assert_int_equal(seen.count, 2);
    assert_false(seen.gap);
    assert_int_equal(last, 2);
    assert_ok(f, change_read(f->db, last, see, &seen, &last, &f->fail));
    assert_int_equal(seen.count, 2);
    assert_int_equal(last, 2);
}

static void pruned_notices_are_reported_as_missed(void **state)
{
    struct store_fixture *f = *state;
    for (int i = 0; i < 5; i++)
        add(f, "key", "k");
    assert_ok(f, change_prune(f->db, 2, &f->fail));
    struct seen seen = {.last = 3};
    int64_t last = 0;
    assert_ok(f, change_read(f->db, 3, see, &seen, &last, &f->fail));
    assert_int_equal(seen.count, 2);
    assert_int_equal(change_read(f->db, 2, see, &seen, &last, &f->fail), ERR_CORRUPT);
    assert_ok(f, change_prune(f->db, 0, &f->fail));
    assert_int_equal(change_read(f->db, 4, see, &seen, &last, &f->fail), ERR_CORRUPT);
    assert_ok(f, change_read(f->db, 5, see, &seen, &last, &f->fail));
}

static void restored_older_database_is_detected(void **state)
{
    struct store_fixture *f = *state;
    struct seen seen = {0};
    int64_t last;
    for (int i = 0; i < 3; i++)
        add(f, "key", "k");
    assert_int_equal(change_read(f->db, 4, see, &seen, &last, &f->fail), ERR_CORRUPT);
    assert_int_equal(seen.count, 0);
}

struct adder {
    struct db *db;
    enum err err;
};

static void *add_many(void *arg)
{
    struct adder *a = arg;
    for (int i = 0; i < NOTICES_EACH && !a->err; i++) {
        struct fail fail;
        a->err = db_begin(a->db, &fail);
        if (!a->err)
            a->err = change_add(a->db, STR("key"), STR("k"), NULL, &fail);
        if (!a->err)
            a->err = db_commit(a->db, &fail);
    }
    return NULL;
}

/* A reader that continues after the last number it saw must never miss a smaller one. */
static void no_notice_gets_lower_number_than_read_one(void **state)
{
    struct store_fixture *f = *state;
    struct adder adders[WRITERS];
    pthread_t threads[WRITERS];
    for (int i = 0; i < WRITERS; i++) {
        adders[i] = (struct adder){.db = store_fixture_open(f)};
        assert_int_equal(pthread_create(&threads[i], NULL, add_many, &adders[i]), 0);
    }
    struct seen seen = {.count = 0};
    int64_t last = 0;
    while (seen.count < WRITERS * NOTICES_EACH && !seen.gap) {
        assert_ok(f, change_wait(f->db, -1, 1000, &f->fail));
        assert_ok(f, change_read(f->db, last, see, &seen, &last, &f->fail));
    }
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(adders[i].err, OK);
        db_close(adders[i].db);
    }
    assert_false(seen.gap);
    assert_int_equal(seen.count, WRITERS * NOTICES_EACH);
}

static void wait_ends_on_commit_of_another_connection(void **state)
{
    struct store_fixture *f = *state;
    struct db *reader;
    assert_ok(f, store_open(store_fixture_url(f), STORE_READ, &reader, &f->fail));
    assert_ok(f, change_wait(reader, -1, 0, &f->fail)); /* reads the existing notices */
    assert_ok(f, change_wait(reader, -1, 0, &f->fail));
    add(f, "key", "k");
    assert_ok(f, change_wait(reader, -1, HOUR_MS, &f->fail));
    db_close(reader);
}

static void wait_ends_on_wake(void **state)
{
    struct store_fixture *f = *state;
    int fd = eventfd(1, EFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_ok(f, change_wait(f->db, -1, 0, &f->fail));
    assert_ok(f, change_wait(f->db, fd, HOUR_MS, &f->fail));
    close(fd);
}

static void beat(struct store_fixture *f, struct str id, struct str label, int64_t seq)
{
    struct node_news news = {.outdated = true};
    assert_ok(f, node_beat(f->db, id, label, seq, &news, &f->fail));
    assert_false(news.outdated);
}

static void command_waits_for_every_running_server(void **state)
{
    struct store_fixture *f = *state;
    struct str a = node_id_make(&f->arena), b = node_id_make(&f->arena);
    struct store_lock *lock;
    assert_false(str_eq(a, b));
    assert_ok(f, store_lock_server(store_fixture_url(f), &lock, &f->fail));
    assert_ok(f, change_wait_nodes(f->db, 9, 0, &f->fail)); /* there is no other server */
    beat(f, a, STR("alpha"), 9);
    beat(f, b, STR("beta"), 8);
    assert_int_equal(change_wait_nodes(f->db, 9, 30, &f->fail), ERR_TIMEOUT);
    assert_non_null(strstr(f->fail.text, "beta"));
    beat(f, b, STR("beta"), 10);
    assert_ok(f, change_wait_nodes(f->db, 9, 0, &f->fail));
    assert_int_equal(change_wait_nodes(f->db, 10, 0, &f->fail), ERR_TIMEOUT);
    assert_ok(f, node_remove(f->db, a, &f->fail));
    assert_ok(f, change_wait_nodes(f->db, 10, 0, &f->fail));
    store_unlock_server(lock);
}

static void label_names_address_and_machine(void **state)
{
    struct store_fixture *f = *state;
    struct str label = node_label_make(STR("0.0.0.0:80"), &f->arena);
    assert_true(node_label_is_here(label, STR("0.0.0.0:80"), &f->arena));
    assert_false(node_label_is_here(label, STR("0.0.0.0:8"), &f->arena));
    assert_false(node_label_is_here(label, STR("0.0.0.0:8080"), &f->arena));
    assert_false(node_label_is_here(
        STR("0.0.0.0:80 on elsewhere, process 7"), STR("0.0.0.0:80"), &f->arena));
}

static void silent_server_does_not_count(void **state)
{
    struct store_fixture *f = *state;
    struct str id = node_id_make(&f->arena);
    struct store_lock *lock;
    assert_ok(f, store_lock_server(store_fixture_url(f), &lock, &f->fail));
    beat(f, id, STR("alpha"), 1);
    assert_int_equal(change_wait_nodes(f->db, 2, 0, &f->fail), ERR_TIMEOUT);
    assert_ok(f, db_exec(f->db, "UPDATE node SET beat_at = beat_at - 6000", &f->fail));
    assert_ok(f, change_wait_nodes(f->db, 2, 0, &f->fail));
    assert_ok(f, node_prune(f->db, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM node"), 1);
    /* As after a restart of the machine: a heartbeat ahead of the clock. */
    assert_ok(f, db_exec(f->db, "UPDATE node SET beat_at = beat_at + 1000000", &f->fail));
    assert_ok(f, change_wait_nodes(f->db, 2, 0, &f->fail));
    assert_ok(f, node_prune(f->db, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM node"), 0);
    store_unlock_server(lock);
}

/* A server stops if a newer program shuts it out, but not if the database takes no writes now. */
static void heartbeat_tells_a_newer_database_from_one_that_takes_no_writes(void **state)
{
    struct store_fixture *f = *state;
    struct node_news news = {.outdated = true};
    struct db *reader;
    assert_ok(f, store_open(store_fixture_url(f), STORE_READ, &reader, &f->fail));
    assert_int_not_equal(node_beat(reader, STR("a"), STR("alpha"), 1, &news, &f->fail), OK);
    assert_false(news.outdated);
    db_close(reader);
    assert_ok(f, db_exec(f->db, "INSERT INTO migration VALUES (9999, 'x', 9999)", &f->fail));
    assert_int_equal(node_beat(f->db, STR("a"), STR("alpha"), 1, &news, &f->fail), ERR_REFUSED);
    assert_true(news.outdated);
    assert_non_null(strstr(f->fail.text, "9999"));
}

/* Its lock ends with it; its row stays. On PostgreSQL it may be cut off only, and serve. */
static void killed_server_does_not_count(void **state)
{
    struct store_fixture *f = *state;
    struct store_lock *lock;
    struct str id = node_id_make(&f->arena);
    assert_ok(f, store_lock_server(store_fixture_url(f), &lock, &f->fail));
    assert_ok(f, node_enter(f->db, id, STR("alpha"), 1, &f->fail));
    assert_int_equal(change_wait_nodes(f->db, 2, 0, &f->fail), ERR_TIMEOUT);
    store_unlock_server(lock);
    assert_int_equal(
        change_wait_nodes(f->db, 2, 0, &f->fail), store_fixture_is_postgresql() ? ERR_TIMEOUT : OK);
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM node"), 1);
}

static void row_of_a_backup_does_not_count(void **state)
{
    struct store_fixture *f = *state;
    struct store_lock *lock;
    struct str id = node_id_make(&f->arena), old = node_id_make(&f->arena);
    beat(f, old, STR("of the backup"), 1);
    if (store_fixture_is_postgresql()) /* a dump is restored under another place */
        assert_ok(f, db_exec(f->db, "UPDATE node SET id = 'a@0123456789abcdef'", &f->fail));
    assert_ok(f, store_lock_server(store_fixture_url(f), &lock, &f->fail));
    assert_ok(f, node_enter(f->db, id, STR("alpha"), 2, &f->fail));
    assert_ok(f, change_wait_nodes(f->db, 2, 0, &f->fail));
    assert_int_equal(change_wait_nodes(f->db, 3, 0, &f->fail), ERR_TIMEOUT);
    assert_non_null(strstr(f->fail.text, "alpha"));
    store_unlock_server(lock);
}

static void row_of_a_silent_server_is_deleted_after_a_day(void **state)
{
    struct store_fixture *f = *state;
    struct str id = node_id_make(&f->arena);
    beat(f, id, STR("alpha"), 1);
    assert_ok(f, db_exec(f->db, "UPDATE node SET beat_at = beat_at - 86000000", &f->fail));
    assert_ok(f, node_prune(f->db, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM node"), 1);
    assert_ok(f, db_exec(f->db, "UPDATE node SET beat_at = beat_at - 400001", &f->fail));
    assert_ok(f, node_prune(f->db, &f->fail));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM node"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(notices_are_numbered_from_one_without_holes),
        store_test(pruned_notices_are_reported_as_missed),
        store_test(restored_older_database_is_detected),
        store_test(no_notice_gets_lower_number_than_read_one),
        store_test(wait_ends_on_commit_of_another_connection),
        store_test(wait_ends_on_wake),
        store_test(command_waits_for_every_running_server),
        store_test(label_names_address_and_machine),
        store_test(silent_server_does_not_count),
        store_test(heartbeat_tells_a_newer_database_from_one_that_takes_no_writes),
        store_test(killed_server_does_not_count),
        store_test(row_of_a_backup_does_not_count),
        store_test(row_of_a_silent_server_is_deleted_after_a_day),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
