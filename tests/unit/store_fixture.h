/*
 * A fresh, migrated database for each test: an SQLite file in a temporary folder, or the PostgreSQL
 * server that with-postgresql started (STOCKACT_TEST_DATABASE). The same tests run on both.
 */
#pragma once

#include "dice.h"
#include "unit.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/instant.h"
#include "base/mem.h"
#include "db/store.h"
#include "rule/model.h"
#include "store/check/check.h"
#include "store/row/act.h"

struct store_fixture {
    char folder[64];
    char url[256];
    struct db *db;
    struct arena arena;
    struct fail fail;
};

/* The context of an action, with these members too: ACT(f, .actor = &owner, .now_ms = NOW). */
#define ACT(f, ...)                                                                                \
    (&(struct act){.db = (f)->db, .arena = &(f)->arena, .fail = &(f)->fail, __VA_ARGS__})

/* The result of a call that must succeed; prints the reason if it failed. */
#define assert_ok(fixture, call)                                                                   \
    do {                                                                                           \
        enum err assert_ok_err = (call);                                                           \
        if (assert_ok_err)                                                                         \
            fail_msg("%s: err %d: %s", #call, (int)assert_ok_err, (fixture)->fail.text);           \
    } while (0)

static inline struct str store_fixture_url(const struct store_fixture *f)
{
    return str_from(f->url);
}

static inline bool store_fixture_is_postgresql(void)
{
    return getenv("STOCKACT_TEST_DATABASE") != NULL;
}

static inline struct db *store_fixture_open(struct store_fixture *f)
{
    struct db *db = NULL;
    assert_ok(f, store_open(store_fixture_url(f), STORE_WRITE, &db, &f->fail));
    return db;
}

/* From now on the fixture's connection times out quickly when it waits for another one. */
static inline void store_fixture_hurry(struct store_fixture *f)
{
    const char *hurry =
        store_fixture_is_postgresql() ? "SET lock_timeout = 50" : "PRAGMA busy_timeout = 50";
    assert_ok(f, db_exec(f->db, hurry, &f->fail));
}

static inline struct store_fixture *store_fixture_create(void)
{
    struct store_fixture *f = MEM_NEW(struct store_fixture);
    dice_begin();
    arena_init(&f->arena);
    const char *temporary = getenv("TMPDIR");
    snprintf(
        f->folder, sizeof f->folder, "%s/stockact-store.XXXXXX",
        temporary && strlen(temporary) < 32 ? temporary : "/tmp");
    assert_non_null(mkdtemp(f->folder));
    const char *server = getenv("STOCKACT_TEST_DATABASE");
    if (server)
        snprintf(f->url, sizeof f->url, "%s", server);
    else
        snprintf(f->url, sizeof f->url, "sqlite:%s/test.db", f->folder);
    return f;
}

/* Runs a statement on PostgreSQL before the store is opened. */
static inline enum err store_fixture_prepare(struct store_fixture *f, const char *sql)
{
    struct db *db;
    const struct db_options options = {.read_only = false};
    assert_ok(f, db_open(store_fixture_url(f), &options, &db, &f->fail));
    enum err err = db_exec(db, sql, &f->fail);
    db_close(db);
    return err;
}

static inline int store_fixture_setup_empty(void **state)
{
    struct store_fixture *f = *state = store_fixture_create();
    if (store_fixture_is_postgresql())
        assert_ok(f, store_fixture_prepare(f, "DROP SCHEMA IF EXISTS stockact CASCADE"));
    return 0;
}

static inline int store_fixture_setup(void **state)
{
    struct store_fixture *f = *state = store_fixture_create();
    /* see store_pristine.sql */
    bool make = store_fixture_is_postgresql() && store_fixture_prepare(f, "CALL pristine.reset()");
    if (make)
        assert_ok(f, store_fixture_prepare(f, "DROP SCHEMA IF EXISTS stockact CASCADE"));
    assert_ok(f, store_open(store_fixture_url(f), STORE_MIGRATE, &f->db, &f->fail));
    if (make)
        assert_ok(f, store_fixture_prepare(f, "CALL pristine.keep()"));
    return 0;
}

static inline int store_fixture_teardown(void **state)
{
    static const char *const files[] = {
        "test.db", "test.db-wal", "test.db-shm", "test.db.lock", "test.db.ballast"};
    struct store_fixture *f = *state;
    db_close(f->db);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", f->folder, files[i]);
        unlink(path);
    }
    rmdir(f->folder);
    arena_finish(&f->arena);
    mem_free(f);
    return 0;
}

/* Reads one number from the database. */
static inline int64_t store_fixture_number_in(
    struct store_fixture *f, struct db *db, const char *sql)
{
    struct query q;
    int64_t n = 0;
    query_start(&q, db, sql);
    if (query_row(&q))
        n = query_get_i64(&q, 0);
    assert_ok(f, query_end(&q, &f->fail));
    return n;
}

static inline int64_t store_fixture_number(struct store_fixture *f, const char *sql)
{
    return store_fixture_number_in(f, f->db, sql);
}

/* PostgreSQL: returns when another connection to the database waits for a lock. */
static inline void store_fixture_wait_for_waiter(struct store_fixture *f)
{
    static const char waiting[] = "SELECT count(*) FROM pg_locks JOIN pg_stat_activity USING (pid)"
                                  " WHERE NOT granted AND datname = current_database()";
    while (store_fixture_number(f, waiting) == 0)
        sched_yield();
}

static inline void store_fixture_print_finding(void *ctx, struct str finding)
{
    print_error("%.*s\n", STR_ARG(finding));
}

/* `stockact check` finds nothing. */
static inline void store_fixture_assert_sound(struct store_fixture *f)
{
    int64_t findings = -1;
    assert_ok(f, check_run(f->db, store_fixture_print_finding, NULL, NULL, &findings, &f->fail));
    assert_int_equal(findings, 0);
}

static inline void store_fixture_ignore_finding(void *ctx, struct str what)
{
    (void)ctx;
    (void)what;
}

/* How many more problems the check finds after the statement than the test's rows have anyway. */
static inline int64_t store_fixture_found_after(struct store_fixture *f, const char *sql)
{
    int64_t before = -1, after = -1;
    assert_ok(f, check_run(f->db, store_fixture_ignore_finding, NULL, NULL, &before, &f->fail));
    assert_ok(f, db_exec(f->db, sql, &f->fail));
    assert_ok(f, check_run(f->db, store_fixture_ignore_finding, NULL, NULL, &after, &f->fail));
    return after - before;
}

#define store_test(function)                                                                       \
    cmocka_unit_test_setup_teardown(function, store_fixture_setup, store_fixture_teardown)
#define store_test_empty(function)                                                                 \
    cmocka_unit_test_setup_teardown(function, store_fixture_setup_empty, store_fixture_teardown)
