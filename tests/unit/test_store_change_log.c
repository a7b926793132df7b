/* The sequence of changes: an entry for everything that changed for readers, in the order of
 * commits. */
#include "store_sample.h"

#include <pthread.h>
#include <stdatomic.h>

#include "store/check/check.h"
#include "store/public/change_log.h"
#include "store/public/correction.h"
#include "store/public/finding.h"
#include "store/row/meta.h"

enum { WRITERS = 2, TURNS = 25 };

/* The entries as lines: "seq kind trade: present trade, field old > new". */
struct walk {
    struct buf text;
    int64_t count, last;
};

static enum err note(void *ctx, const struct change_entry *e)
{
    struct walk *w = ctx;
    assert_true(e->seq == w->last + 1);
    w->last = e->seq;
    w->count++;
    buf_fmt(
        &w->text, "%lld %.*s %.*s:", (long long)e->seq, STR_ARG(change_kind_name(e->kind)),
        STR_ARG(str_is_null(e->trade_id) ? e->filing_id : e->trade_id));
    if (e->trade_is_public)
        buf_fmt(
            &w->text, " %.*s %.*s %.*s", STR_ARG(e->trade.values.ticker),
            STR_ARG(e->trade.politician.slug), STR_ARG(e->trade.conflict_reason));
    else
        buf_text(&w->text, e->filing_is_public ? " filing" : " nothing");
    if (!str_is_null(e->field))
        buf_fmt(
            &w->text, ", %.*s %.*s > %.*s", STR_ARG(e->field), STR_ARG(e->old), STR_ARG(e->new));
    if (!str_is_null(e->reason))
        buf_fmt(&w->text, ", %.*s", STR_ARG(e->reason));
    buf_char(&w->text, '\n');
    return OK;
}

static void assert_entries(struct store_fixture *f, int64_t after, const char *expected)
{
    struct walk w = {.last = after};
    buf_init(&w.text, 100000);
    assert_ok(f, change_log_each(f->db, after, 1000, note, &w, &f->fail));
    buf_char(&w.text, '\0');
    assert_string_equal(w.text.p, expected);
    buf_finish(&w.text);
}

static enum err log_in(
    struct db *db, enum correction_kind kind, const char *trade_id, int64_t at, struct fail *fail)
{
    bool field = kind == CORRECTION_FIELD;
    const struct correction c = {
        .kind = kind,
        .trade_id = str_from(trade_id),
        .at = at,
        .field = field ? STR("ticker") : STR_NULL,
        .old = field ? STR("ABC") : STR_NULL,
        .new = field ? STR("ABD") : STR_NULL,
        .reason = STR("a typing error"),
        .by = STR("editor@example.org"),
    };
    return correction_add(db, &c, fail);
}

static void begin(struct store_fixture *f)
{
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, publication_lock(f->db, &f->fail));
}

static void commit(struct store_fixture *f)
{
    assert_ok(f, db_commit(f->db, &f->fail));
}

static int64_t number_of(struct store_fixture *f, const char *trade_id)
{
    int64_t no = 0;
    assert_ok(f, trade_number(f->db, str_from(trade_id), &no, &f->fail));
    return no;
}

static int64_t put_finding(struct store_fixture *f, const char *reason)
{
    struct finding finding = {.reason = str_from(reason), .evidence = STR("{}")};
    int64_t no = 0;
    finding_identify(&finding);
    assert_ok(f, finding_put(f->db, &finding, STR("1"), 1, &no, &f->fail));
    return no;
}

static void every_change_has_an_entry_with_the_present_trade(void **state)
{
    struct store_fixture *f = *state;
    struct finding_lines lines;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_publish(f, "senate-old", 1, PUBLICATION_BACKFILL, 1000, 4000);
    store_sample_publish(f, "house-1", 2, PUBLICATION_LIVE, 1, 5000);
    store_sample_publish(f, "house-2", 0, PUBLICATION_LIVE, 1, 5001);
    assert_entries(
        f, 0,
        "1 published senate-old-0001: ABC robin-vale \n"
        "2 published house-1-0001: ABC robin-vale \n"
        "3 published house-1-0002: ABC robin-vale \n"
        "4 published house-2: filing\n");

    begin(f);
    struct row_values values = store_sample_trade("house-1", 1, 1).values;
    values.ticker = STR("ABD");
    assert_ok(f, trade_correct(f->db, STR("house-1-0001"), &values, &f->fail));
    assert_ok(f, log_in(f->db, CORRECTION_FIELD, "house-1-0001", 6000, &f->fail));
    const struct finding_pair pair = {number_of(f, "house-1-0001"), put_finding(f, "sits on it")};
    assert_ok(f, finding_set(f->db, &pair, 1, 6000, &lines, &f->fail));
    assert_ok(f, finding_set(f->db, &pair, 1, 6000, &lines, &f->fail)); /* has it already */
    assert_int_equal(lines.count, 0);
    commit(f);
    begin(f);
    assert_ok(f, trade_withdraw(f->db, STR("house-1-0002"), false, 7000, STR("twice"), &f->fail));
    assert_ok(f, log_in(f->db, CORRECTION_WITHDRAWN, "house-1-0002", 7000, &f->fail));
    assert_ok(f, filing_withdraw(f->db, STR("house-2"), 7000, STR("twice"), &f->fail));
    commit(f);
    assert_entries(
        f, 1,
        "2 published house-1-0001: ABD robin-vale sits on it\n"
        "3 published house-1-0002: filing\n"
        "4 published house-2: nothing\n"
        "5 corrected house-1-0001: ABD robin-vale sits on it, ticker ABC > ABD, a typing error\n"
        "6 signal house-1-0001: ABD robin-vale sits on it, conflictReason  > sits on it\n"
        "7 withdrawn house-1-0002: filing, a typing error\n");
    assert_entries(f, 6, "7 withdrawn house-1-0002: filing, a typing error\n");
    assert_entries(f, 7, "");
    assert_entries(f, 1000000, "");
    struct change_place last;
    bool has;
    assert_ok(f, change_log_last(f->db, &last, &f->fail));
    assert_int_equal(last.seq, 7);
    assert_ok(f, change_log_has(f->db, &last, &has, &f->fail));
    assert_true(has);
    last.at--;
    assert_ok(f, change_log_has(f->db, &last, &has, &f->fail));
    assert_false(has);
    last = (struct change_place){0, 0};
    assert_ok(f, change_log_has(f->db, &last, &has, &f->fail));
    assert_true(has);
}

static void limit_bounds_the_page(void **state)
{
    struct store_fixture *f = *state;
    struct walk w = {.last = 3};
    store_sample_member(f, "m1", "robin-vale");
    store_sample_publish(f, "house-1", 9, PUBLICATION_LIVE, 1, 5000);
    buf_init(&w.text, 100000);
    assert_ok(f, change_log_each(f->db, 3, 4, note, &w, &f->fail));
    assert_int_equal(w.count, 4);
    assert_ok(f, change_log_each(f->db, 7, INT64_MAX, note, &w, &f->fail));
    assert_int_equal(w.last, 9);
    buf_finish(&w.text);
}

static void new_trades_with_signals_are_published_and_nothing_else(void **state)
{
    struct store_fixture *f = *state;
    struct publication p;
    store_sample_member(f, "m1", "robin-vale");
    assert_ok(f, db_begin(f->db, &f->fail));
    assert_ok(f, publication_begin(f->db, PUBLICATION_LIVE, STR("e@x"), 5000, &p, &f->fail));
    const struct filing_new filing = store_sample_filing("house-1", 1);
    int64_t no, at;
    assert_ok(f, filing_insert(f->db, &filing, 1, &no, &f->fail));
    assert_ok(f, publication_add_filing(f->db, &p, no, 1, &at, &f->fail));
    struct trade_new trade = store_sample_trade("house-1", no, 1);
    trade.publication_no = p.no;
    trade.disclosed_at = at;
    assert_ok(f, trade_insert(f->db, &trade, &f->fail));
    const struct finding_pair pair = {number_of(f, "house-1-0001"), put_finding(f, "sits on it")};
    assert_ok(f, finding_set_new(f->db, &pair, 1, 5000, &f->fail));
    assert_ok(f, publication_finish(f->db, &p, 1, NULL, &f->fail));
    commit(f);
    assert_entries(f, 0, "1 published house-1-0001: ABC robin-vale sits on it\n");
}

static void rolled_back_change_leaves_no_entry(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_publish(f, "house-1", 1, PUBLICATION_LIVE, 1, 5000);
    begin(f);
    assert_ok(f, log_in(f->db, CORRECTION_WITHDRAWN, "house-1-0001", 6000, &f->fail));
    db_rollback(f->db);
    begin(f);
    assert_int_equal(
        log_in(f->db, CORRECTION_WITHDRAWN, "house-1-0009", 6000, &f->fail), ERR_NOT_FOUND);
    db_rollback(f->db);
    store_sample_publish(f, "house-2", 1, PUBLICATION_LIVE, 1, 7000);
    assert_entries(
        f, 0,
        "1 published house-1-0001: ABC robin-vale \n"
        "2 published house-2-0001: ABC robin-vale \n");
}

static void instants_never_step_back(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_publish(f, "house-1", 1, PUBLICATION_LIVE, 1, 5000);
    begin(f);
    assert_ok(f, log_in(f->db, CORRECTION_FIELD, "house-1-0001", 6000, &f->fail));
    commit(f);
    begin(f); /* the clock stepped back */
    assert_ok(f, log_in(f->db, CORRECTION_FIELD, "house-1-0001", 10, &f->fail));
    commit(f);
    assert_int_equal(store_fixture_number(f, "SELECT min(at) FROM correction"), 6000);
    assert_int_equal(store_sample_publish(f, "house-2", 1, PUBLICATION_LIVE, 1, 20).at, 5001);
    begin(f);
    assert_ok(f, log_in(f->db, CORRECTION_FIELD, "house-1-0001", 30, &f->fail));
    commit(f);
    assert_int_equal(store_fixture_number(f, "SELECT max(at) FROM correction"), 6000);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM change_log l JOIN correction c ON c.no = l.correction_no"
               " WHERE l.at = c.at"),
        3);
}

/* --- several writers */

struct changer {
    struct store_fixture *f;
    struct db *db;
    int number;
    enum err err;
    struct fail fail;
};

static enum err correct_in(struct changer *c, const char *filing, int turn)
{
    char id[40];
    snprintf(id, sizeof id, "%s-0001", filing);
    enum err err = db_begin(c->db, &c->fail);
    if (!err)
        err = publication_lock(c->db, &c->fail);
    for (int i = 0; i < 3 && !err; i++) /* one clock runs backwards */
        err =
            log_in(c->db, CORRECTION_FIELD, id, c->number ? 100000 - turn : 50000 + turn, &c->fail);
    return db_end(c->db, err, &c->fail);
}

static void *change_many(void *arg)
{
    struct changer *c = arg;
    for (int i = 0; i < TURNS && !c->err; i++) {
        struct publication p;
        char id[32];
        snprintf(id, sizeof id, "house-%d-%d", c->number, i);
        c->err = db_begin(c->db, &c->fail);
        if (!c->err)
            c->err = store_sample_publish_in(c->db, id, 2, PUBLICATION_LIVE, 1, 1000, &p, &c->fail);
        c->err = db_end(c->db, c->err, &c->fail);
        if (!c->err)
            c->err = correct_in(c, id, i);
    }
    return NULL;
}

struct watcher {
    struct db *db;
    _Atomic bool done;
    int64_t last;
    bool gap;
    enum err err;
};

static enum err watch_entry(void *ctx, const struct change_entry *e)
{
    struct watcher *w = ctx;
    w->gap |= e->seq != w->last + 1;
    w->last = e->seq;
    return OK;
}

static void *watch(void *arg)
{
    struct watcher *w = arg;
    struct fail fail;
    bool last_turn = false;
    while (!w->err && !last_turn) {
        last_turn = atomic_load(&w->done);
        w->err = change_log_each(w->db, w->last, 7, watch_entry, w, &fail);
        for (int64_t before = -1; last_turn && !w->err && before != w->last;) {
            before = w->last;
            w->err = change_log_each(w->db, w->last, 100, watch_entry, w, &fail);
        }
    }
    return NULL;
}

static void several_writers_leave_no_gap_for_a_reader(void **state)
{
    struct store_fixture *f = *state;
    struct changer changers[WRITERS];
    struct watcher watcher = {.db = store_fixture_open(f)};
    pthread_t threads[WRITERS], reader;
    store_sample_member(f, "m1", "robin-vale");
    assert_int_equal(pthread_create(&reader, NULL, watch, &watcher), 0);
    for (int i = 0; i < WRITERS; i++) {
        changers[i] = (struct changer){.db = store_fixture_open(f), .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, change_many, &changers[i]), 0);
    }
    for (int i = 0; i < WRITERS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(changers[i].err, OK);
        db_close(changers[i].db);
    }
    atomic_store(&watcher.done, true);
    pthread_join(reader, NULL);
    db_close(watcher.db);
    assert_int_equal(watcher.err, OK);
    assert_false(watcher.gap);
    assert_int_equal(watcher.last, WRITERS * TURNS * 5);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM correction a JOIN correction b ON b.no > a.no"
               " WHERE b.at < a.at"),
        0);
    assert_int_equal(
        store_fixture_number(
            f, "SELECT count(*) FROM change_log a JOIN change_log b ON b.seq = a.seq + 1"
               " WHERE b.at < a.at"),
        0);
}

static void writers_without_the_lock_cannot_take_the_same_number(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_publish(f, "house-1", 1, PUBLICATION_LIVE, 1, 5000);
    struct db *other = store_fixture_open(f);
    store_fixture_hurry(f);
    assert_ok(f, db_begin(other, &f->fail));
    assert_ok(f, log_in(other, CORRECTION_FIELD, "house-1-0001", 6000, &f->fail));
    enum err err = db_begin(f->db, &f->fail); /* SQLite refuses here */
    if (!err)
        err = log_in(f->db, CORRECTION_FIELD, "house-1-0001", 6000, &f->fail);
    assert_int_not_equal(err, OK);
    db_rollback(f->db);
    assert_ok(f, db_commit(other, &f->fail));
    db_close(other);
    assert_int_equal(store_fixture_number(f, "SELECT max(seq) FROM change_log"), 2);
}

/* --- the rules of stockact check */

static void count_problem(void *ctx, struct str what)
{
    ++*(int *)ctx;
}

static int64_t problems(struct store_fixture *f)
{
    int reported = 0;
    int64_t found = -1;
    assert_ok(f, check_run(f->db, count_problem, &reported, NULL, &found, &f->fail));
    return found;
}

static void check_finds_changes_without_entry(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    assert_ok(f, meta_data_claim(f->db, META_DATA_DEMO, &f->fail));
    store_sample_publish(f, "house-1", 3, PUBLICATION_LIVE, 1, 5000);
    begin(f);
    assert_ok(f, log_in(f->db, CORRECTION_FIELD, "house-1-0001", 6000, &f->fail));
    commit(f);
    assert_int_equal(problems(f), 0);
    static const struct {
        const char *sql;
        int64_t problems;
    } damages[] = {
        {"INSERT INTO correction (kind, trade_id, filing_id, at, by_email)"
         " VALUES ('field', 'house-1-0001', 'house-1', 7000, 'e@x')",
         2},
        {"INSERT INTO finding_history (trade_no, at, new_no)"
         " SELECT max(t.no), 7000, max(d.no) FROM trade t, finding d",
         4}, /* its trade has no signal either */
        {"INSERT INTO change_log (seq, at, kind, filing_no) VALUES (6, 9000, 'published', 1)", 5},
        {"INSERT INTO change_log (seq, at, kind, filing_no) VALUES (7, 8000, 'published', 1)", 6},
    };
    (void)put_finding(f, "sits on it");
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        assert_ok(f, db_exec(f->db, damages[i].sql, &f->fail));
        assert_int_equal(problems(f), damages[i].problems);
    }
}

static void log_is_append_only(void **state)
{
    struct store_fixture *f = *state;
    store_sample_member(f, "m1", "robin-vale");
    store_sample_publish(f, "house-1", 1, PUBLICATION_LIVE, 1, 5000);
    assert_int_equal(db_exec(f->db, "UPDATE change_log SET seq = 9", &f->fail), ERR_REFUSED);
    assert_int_equal(db_exec(f->db, "DELETE FROM change_log", &f->fail), ERR_REFUSED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(every_change_has_an_entry_with_the_present_trade),
        store_test(limit_bounds_the_page),
        store_test(new_trades_with_signals_are_published_and_nothing_else),
        store_test(rolled_back_change_leaves_no_entry),
        store_test(instants_never_step_back),
        store_test(several_writers_leave_no_gap_for_a_reader),
        store_test(writers_without_the_lock_cannot_take_the_same_number),
        store_test(check_finds_changes_without_entry),
        store_test(log_is_append_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
