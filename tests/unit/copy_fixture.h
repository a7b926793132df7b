/* Copies of a database into another one. The fixture's database is SQLite or PostgreSQL; the others
 * are SQLite files beside it. */
#pragma once

#include "store_fixture.h"

#include "base/progress_hook.h"
#include "store/copy/copy.h"

enum { COPY_OTHERS = 3 };

struct copy_fixture {
    struct store_fixture *store;
    struct db *from, *to;
    struct db *writer;  /* another program that uses the source */
    struct arena arena; /* of the copy */
    int writes;
    enum copy_phase phase; /* in which something happens */
    void (*happens)(struct copy_fixture *c);
};

static inline struct str other_url(struct copy_fixture *c, int i)
{
    struct str folder = str_from(c->store->folder);
    return arena_fmt(&c->store->arena, "sqlite:%.*s/other%d.db", STR_ARG(folder), i);
}

static inline int setup(void **state)
{
    struct copy_fixture *c = MEM_NEW(struct copy_fixture);
    void *store = NULL;
    store_fixture_setup(&store);
    c->store = store;
    arena_init(&c->arena);
    *state = c;
    return 0;
}

static inline void close_all(struct copy_fixture *c)
{
    db_close(c->from);
    db_close(c->to);
    db_close(c->writer);
    c->from = c->to = c->writer = NULL;
    arena_reset(&c->arena);
}

static inline int teardown(void **state)
{
    static const char *const endings[] = {"", "-wal", "-shm", ".lock"};
    struct copy_fixture *c = *state;
    close_all(c);
    for (int i = 0; i < COPY_OTHERS; i++) {
        for (size_t e = 0; e < sizeof endings / sizeof *endings; e++) {
            char path[128];
            snprintf(path, sizeof path, "%s/other%d.db%s", c->store->folder, i, endings[e]);
            unlink(path);
        }
    }
    void *store = c->store;
    arena_finish(&c->arena);
    mem_free(c);
    return store_fixture_teardown(&store);
}

static inline void open_pair(struct copy_fixture *c, struct str from, struct str to)
{
    close_all(c);
    assert_ok(c->store, store_open(from, STORE_COPY_SOURCE, &c->from, &c->store->fail));
    assert_ok(c->store, store_open(to, STORE_COPY_TARGET, &c->to, &c->store->fail));
}

static inline enum err copy(struct copy_fixture *c, const struct progress_hook *hook)
{
    struct copy_report report;
    return copy_run(c->from, c->to, &c->arena, hook, &report, &c->store->fail);
}

static inline void run_on(struct copy_fixture *c, struct db *db, const char *sql)
{
    assert_ok(c->store, db_exec(db, sql, &c->store->fail));
}

/* Rows of all types of keys, and one table whose rows cannot change. */
static inline void fill(struct copy_fixture *c, struct db *db)
{
    for (int i = 1; i <= 200; i++)
        run_on(
            c, db,
            arena_fmt(
                &c->store->arena,
                "INSERT INTO member (id, slug, name, birthday) VALUES ('m%d', 'slug-%d', 'Ñame', "
                "%s)",
                i, i, i % 2 ? "NULL" : "-5")
                .p);
    run_on(
        c, db,
        db_kind(db) == DB_SQLITE
            ? "INSERT INTO month_count VALUES (1, 'key', x'00ff', 2), (-1, 'address', x'', 3)"
            : "INSERT INTO month_count VALUES (1, 'key', '\\x00ff', 2), (-1, 'address', '\\x', 3)");
    run_on(c, db, "INSERT INTO meta (name, value) VALUES ('a b', 'x'), ('', 'y'), ('é', '')");
    run_on(
        c, db,
        "INSERT INTO member_term (member_no, position, chamber, state)"
        " SELECT no, 1, 'house', 'CA' FROM member");
    run_on(
        c, db,
        "INSERT INTO action_log (at, actor, action) VALUES (1, 'operator', 'account.create')");
}

static inline void assert_same(struct copy_fixture *c, struct str a, struct str b)
{
    struct copy_report report;
    close_all(c);
    assert_ok(c->store, store_open(a, STORE_COPY_SOURCE, &c->from, &c->store->fail));
    assert_ok(c->store, store_open(b, STORE_COPY_SOURCE, &c->to, &c->store->fail));
    assert_ok(c->store, copy_compare(c->from, c->to, &c->arena, NULL, &report, &c->store->fail));
    assert_true(report.rows > 400);
}

#define copy_test(function) cmocka_unit_test_setup_teardown(function, setup, teardown)
