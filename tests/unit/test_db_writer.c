/* The writing thread. */
#include "store_fixture.h"

#include <pthread.h>
#include <stdatomic.h>

#include "db/writer.h"
#include "store/row/meta.h"

enum { CALLERS = 8, CALLS_EACH = 50 };

/* Blocks the writing thread inside a job until released, so that jobs queue up. */
struct gate {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    bool entered, open;
};

static enum err hold(struct db *db, void *ctx, struct fail *fail)
{
    struct gate *gate = ctx;
    pthread_mutex_lock(&gate->lock);
    gate->entered = true;
    pthread_cond_broadcast(&gate->moved);
    while (!gate->open)
        pthread_cond_wait(&gate->moved, &gate->lock);
    pthread_mutex_unlock(&gate->lock);
    return OK;
}

static void gate_close_on(struct gate *gate, struct writer *w)
{
    pthread_mutex_init(&gate->lock, NULL);
    pthread_cond_init(&gate->moved, NULL);
    gate->entered = gate->open = false;
    assert_int_equal(writer_post(w, WRITER_PUBLISH, hold, NULL, gate), OK);
    pthread_mutex_lock(&gate->lock);
    while (!gate->entered)
        pthread_cond_wait(&gate->moved, &gate->lock);
    pthread_mutex_unlock(&gate->lock);
}

static void gate_open(struct gate *gate)
{
    pthread_mutex_lock(&gate->lock);
    gate->open = true;
    pthread_cond_broadcast(&gate->moved);
    pthread_mutex_unlock(&gate->lock);
}

/* Adds a mark; an existing name fails like any unique value. */
struct job {
    char name[32];
    _Atomic int done; /* number of calls */
    enum err err;
    int order; /* position among the calls of done */
    int *orders;
};

static enum err add_mark(struct db *db, void *ctx, struct fail *fail)
{
    struct job *job = ctx;
    struct query q;
    query_start(&q, db, "INSERT INTO meta (name, value) VALUES ($1, 'x')");
    query_str(&q, str_from(job->name));
    return query_end(&q, fail);
}

static void note(void *ctx, enum err err, const struct fail *fail)
{
    struct job *job = ctx;
    job->err = err;
    if (job->orders)
        job->order = (*job->orders)++;
    if (err)
        assert_true(strlen(fail->text) > 0);
    atomic_fetch_add(&job->done, 1);
}

static void count_commit(void *ctx)
{
    atomic_fetch_add((_Atomic int *)ctx, 1);
}

static struct writer *start(struct store_fixture *f, _Atomic int *commits)
{
    const struct writer_config config = {
        .url = store_fixture_url(f),
        .committed = count_commit,
        .ctx = commits,
    };
    struct writer *w = NULL;
    assert_ok(f, writer_start(&config, &w, &f->fail));
    return w;
}

static void waiting_jobs_share_commit_on_sqlite_and_fail_separately(void **state)
{
    struct store_fixture *f = *state;
    _Atomic int commits = 0;
    struct writer *w = start(f, &commits);
    struct gate gate;
    gate_close_on(&gate, w);
    struct job jobs[10] = {0};
    for (int i = 0; i < 10; i++) {
        snprintf(jobs[i].name, sizeof jobs[i].name, "mark %d", i / 2); /* each name twice */
        assert_int_equal(writer_post(w, WRITER_OUTCOME, add_mark, note, &jobs[i]), OK);
    }
    gate_open(&gate);
    writer_stop(w);
    for (int i = 0; i < 10; i++) {
        assert_int_equal(jobs[i].done, 1);
        assert_int_equal(jobs[i].err, i % 2 ? ERR_EXISTS : OK);
    }
    /* The gate's, and theirs: together, or each alone where other servers write too. */
    assert_int_equal(commits, 1 + (db_kind(f->db) == DB_SQLITE ? 1 : 10));
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM meta"), 5);
}

static void classes_are_served_in_their_order(void **state)
{
    struct store_fixture *f = *state;
    _Atomic int commits = 0;
    struct writer *w = start(f, &commits);
    struct gate gate;
    gate_close_on(&gate, w);
    int orders = 0;
    struct job jobs[WRITER_CLASS_COUNT] = {0};
    for (int class = WRITER_CLASS_COUNT - 1; class >= 0; class --) {
        snprintf(jobs[class].name, sizeof jobs[class].name, "class %d", class);
        jobs[class].orders = &orders;
        assert_int_equal(
            writer_post(w, (enum writer_class) class, add_mark, note, &jobs[class]), OK);
    }
    gate_open(&gate);
    writer_stop(w);
    for (int class = 0; class < WRITER_CLASS_COUNT; class ++)
        assert_int_equal(jobs[class].order, class);
}

struct caller {
    struct writer *writer;
    int number;
    int failed;
};

static void *call_many(void *arg)
{
    struct caller *c = arg;
    for (int i = 0; i < CALLS_EACH; i++) {
        struct job job = {.done = 0};
        struct fail fail;
        snprintf(job.name, sizeof job.name, "%d/%d", c->number, i);
        c->failed += writer_call(c->writer, WRITER_PUBLISH, add_mark, &job, &fail) != OK;
    }
    return NULL;
}

static void acknowledged_commit_is_durable(void **state)
{
    struct store_fixture *f = *state;
    _Atomic int commits = 0;
    struct writer *w = start(f, &commits);
    struct caller callers[CALLERS];
    pthread_t threads[CALLERS];
    for (int i = 0; i < CALLERS; i++) {
        callers[i] = (struct caller){.writer = w, .number = i};
        assert_int_equal(pthread_create(&threads[i], NULL, call_many, &callers[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(callers[i].failed, 0);
    }
    assert_int_equal(store_fixture_number(f, "SELECT count(*) FROM meta"), CALLERS * CALLS_EACH);
    struct writer_stats stats = writer_stats(w);
    assert_int_equal(stats.waiting, 0);
    writer_stop(w);
    assert_true(commits <= CALLERS * CALLS_EACH);
}

static void full_queue_rejects_jobs(void **state)
{
    struct store_fixture *f = *state;
    _Atomic int commits = 0;
    struct writer *w = start(f, &commits);
    struct gate gate;
    gate_close_on(&gate, w);
    static struct job job;
    for (int i = 0; i < WRITER_QUEUE_MAX; i++)
        assert_int_equal(writer_post(w, WRITER_COUNT, add_mark, NULL, &job), OK);
    assert_int_equal(writer_post(w, WRITER_COUNT, add_mark, NULL, &job), ERR_BUSY);
    assert_int_equal(writer_post(w, WRITER_PUBLISH, add_mark, NULL, &job), OK);
    assert_int_equal(writer_stats(w).waiting, WRITER_QUEUE_MAX + 1);
    gate_open(&gate);
    writer_stop(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        store_test(waiting_jobs_share_commit_on_sqlite_and_fail_separately),
        store_test(classes_are_served_in_their_order),
        store_test(acknowledged_commit_is_durable),
        store_test(full_queue_rejects_jobs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
