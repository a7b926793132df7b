/* Applies change notices to memory; see follow.h. */
#include "serve/follow.h"

#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "db/store.h"
#include "serve/background.h"
#include "store/row/change.h"
#include "store/row/credible.h"
#include "store/row/meta.h"
#include "store/row/node.h"

/* Compares the clocks of this server and of the database. */

static void say(bool is_off, int64_t ahead_ms)
{
    if (is_off)
        log_line(
            LOG_WARN,
            "the clock differs from the database's: let NTP set the clocks of both machines",
            LOG_I("ahead_ms", ahead_ms));
    else
        log_line(
            LOG_INFO, "the clock agrees with the database's again", LOG_I("ahead_ms", ahead_ms));
}

void clock_watch_note(
    struct clock_watch *watch, int64_t before_ms, int64_t database_ms, int64_t after_ms)
{
    int64_t took_ms = after_ms - before_ms;
    if (took_ms < 0 || took_ms > CLOCK_WATCH_ANSWER_MS)
        return;
    int64_t ahead_ms = before_ms + took_ms / 2 - database_ms;
    atomic_store(&watch->ahead_ms, ahead_ms);
    /* Half of the difference ends it, so that a clock near the limit does not fill the log. */
    int64_t limit_ms = watch->is_off ? CLOCK_WATCH_OFF_MS / 2 : CLOCK_WATCH_OFF_MS;
    bool is_off = llabs(ahead_ms) > limit_ms;
    if (is_off != watch->is_off)
        say(is_off, ahead_ms);
    watch->is_off = is_off;
}

enum { RETRY_FIRST_MS = 100, RETRY_LAST_MS = 2000 };

struct follow {
    struct follow_config config;
    struct db *db; /* read only; used by the thread only */
    pthread_t thread;
    _Atomic bool stopping;

    /* Used by the thread only: */
    int64_t seq;        /* the last applied notice */
    int64_t beat_at_ms; /* when the last heartbeat was posted */
    int64_t beat_seq;   /* the seq in it */
    int64_t retry_ms;   /* pause before the next attempt; 0: the store answers */
    enum err apply_err; /* of the notices being read */
    struct fail *apply_fail;
    enum meta_data data; /* the database's mark, as of data_seq */
    int64_t data_seq;

    _Atomic int64_t reached;         /* seq, for the heartbeat on the writer's thread */
    _Atomic int64_t behind_since_ms; /* monotonic; 0: not behind */
    _Atomic uint64_t errors;
    _Atomic bool shut_out; /* shut_out_fail is set, on the writer's thread */
    struct fail shut_out_fail;
    struct clock_watch clock; /* on the writer's thread, also this one */
    struct credible_witness witness;
};

/* On the writer's thread. */
static enum err write_beat(struct db *db, void *ctx, struct fail *fail)
{
    struct follow *f = ctx;
    struct node_news news;
    int64_t before_ms = clock_wall_ms(), witness_ms = INSTANT_NONE;
    enum err err =
        node_beat(db, f->config.node, f->config.label, atomic_load(&f->reached), &news, fail);
    if (!err)
        err = credible_beat(db, &f->witness, before_ms, &witness_ms, fail);
    if (witness_ms != INSTANT_NONE)
        news.clock_ms = witness_ms;
    if (news.clock_ms != INSTANT_NONE)
        clock_watch_note(&f->clock, before_ms, news.clock_ms, clock_wall_ms());
    if (news.outdated && !atomic_load(&f->shut_out)) {
        f->shut_out_fail = *fail;
        atomic_store(&f->shut_out, true);
    }
    return err;
}

static enum err write_first_beat(struct db *db, void *ctx, struct fail *fail)
{
    struct follow *f = ctx;
    struct fail refused;
    TRY(node_enter(db, f->config.node, f->config.label, atomic_load(&f->reached), fail));
    enum err err = credible_check(db, clock_wall_ms(), &refused);
    if (err == ERR_REFUSED)
        log_line(LOG_WARN, "nothing can be published", LOG_S("reason", str_from(refused.text)));
    else if (err)
        *fail = refused;
    return err == ERR_REFUSED ? OK : err;
}

static enum err remove_beat(struct db *db, void *ctx, struct fail *fail)
{
    struct follow *f = ctx;
    return node_remove(db, f->config.node, fail);
}

static void beat_if_due(struct follow *f)
{
    int64_t now_ms = clock_mono_ms();
    if (f->beat_seq == f->seq && now_ms - f->beat_at_ms < NODE_BEAT_MS)
        return;
    atomic_store(&f->reached, f->seq);
    /* If the queue is full, skip this heartbeat: the next one replaces it. */
    if (writer_post(f->config.writer, WRITER_COUNT, write_beat, NULL, f) == OK)
        f->beat_seq = f->seq;
    f->beat_at_ms = now_ms;
}

/* One update of memory: by a notice, or by a reload, which sets seq. */
struct follow_step {
    struct follow *f;
    int64_t seq;
    struct str noun, key;
    struct fail *fail;
    enum err err;
};

static void reload(void *ctx)
{
    struct follow_step *step = ctx;
    struct follow *f = step->f;
    step->err = feed_load(f->config.feed, f->db, &step->seq, step->fail);
    if (!step->err)
        step->err = access_load(f->config.access, f->db, step->fail);
}

static void apply_one(void *ctx)
{
    struct follow_step *step = ctx;
    struct follow *f = step->f;
    step->err = feed_apply(f->config.feed, f->db, step->noun, step->key, step->fail);
    if (!step->err)
        step->err = access_apply(f->config.access, f->db, step->noun, step->key, step->fail);
}

static enum err run_step(struct follow_step *step, void (*fn)(void *ctx), bool in_background)
{
    if (in_background)
        background_call(fn, step);
    else
        fn(step);
    if (!step->err)
        step->f->seq = step->seq;
    return step->err;
}

static void tell(struct follow *f, struct str noun, struct str key, bool after)
{
    if (f->config.noticed)
        f->config.noticed(f->config.noticed_ctx, f->db, noun, key, after);
}

/* Applies one notice. After a failure it skips the rest, which the next attempt reads again. */
static void apply(void *ctx, int64_t seq, struct str noun, struct str key)
{
    struct follow *f = ctx;
    struct follow_step step = {.f = f, .seq = seq, .noun = noun, .key = key, .fail = f->apply_fail};
    if (f->apply_err)
        return;
    /* a rebuild of the whole feed, one of hundreds of notices of a sweep, all known reports */
    bool takes_long = str_eq(noun, STR("feed")) || str_eq(noun, STR("findings")) ||
                      (str_eq(noun, STR("known")) && !key.n);
    tell(f, noun, key, false);
    f->apply_err = run_step(&step, apply_one, takes_long);
    if (!f->apply_err)
        tell(f, noun, key, true);
}

/* Reads the mark of a database that was empty so far: it may have been filled since. */
static enum err read_mark(struct follow *f, struct fail *fail)
{
    if (f->data != META_DATA_NONE || f->data_seq == f->seq)
        return OK;
    TRY(meta_data_get(f->db, &f->data, fail));
    f->data_seq = f->seq;
    if (f->data == META_DATA_DEMO)
        atomic_store(f->config.demo, true);
    return OK;
}

static enum err apply_notices(struct follow *f, struct fail *fail)
{
    int64_t last, before = f->seq;
    f->apply_err = OK;
    f->apply_fail = fail;
    enum err err = change_read(f->db, f->seq, apply, f, &last, fail);
    /* the notices were pruned, or an older database was restored */
    if (err == ERR_CORRUPT && f->apply_err == OK) {
        err = run_step(&(struct follow_step){.f = f, .fail = fail}, reload, true);
        if (!err)
            tell(f, STR_NULL, STR_NULL, true);
    }
    if (!err)
        err = f->apply_err;
    if (f->seq != before && f->config.applied)
        f->config.applied(f->config.ctx);
    return err ? err : read_mark(f, fail);
}

static void wait_for_wake(const struct follow *f, int64_t timeout_ms)
{
    struct pollfd wake = {.fd = f->config.wake_fd, .events = POLLIN};
    poll(&wake, 1, (int)timeout_ms);
}

static void reset_wake(const struct follow *f)
{
    eventfd_t count;
    if (eventfd_read(f->config.wake_fd, &count) != 0)
        return; /* it was not set; the read does not block */
}

static void note_failure(struct follow *f, enum err err, const struct fail *fail)
{
    int64_t answers = 0; /* a reader may have noticed it first */
    if (err == ERR_UNAVAILABLE)
        atomic_compare_exchange_strong(f->config.store_lost, &answers, clock_wall_ms());
    else
        atomic_store(f->config.store_lost, 0);
    atomic_fetch_add(&f->errors, 1);
    if (f->retry_ms == 0) {
        atomic_store(&f->behind_since_ms, clock_mono_ms());
        log_line(
            LOG_ERROR, "store does not answer, serving from memory",
            LOG_S("reason", str_from(fail->text)));
        f->retry_ms = RETRY_FIRST_MS;
    } else {
        f->retry_ms = f->retry_ms * 2 < RETRY_LAST_MS ? f->retry_ms * 2 : RETRY_LAST_MS;
    }
}

static void note_success(struct follow *f)
{
    atomic_store(f->config.store_lost, 0);
    if (f->retry_ms == 0)
        return;
    log_line(
        LOG_INFO, "store answers again",
        LOG_I("after_ms", clock_mono_ms() - atomic_load(&f->behind_since_ms)));
    atomic_store(&f->behind_since_ms, 0);
    f->retry_ms = 0;
}

static void *follow_thread(void *ctx)
{
    struct follow *f = ctx;
    rcu_thread_start();
    while (!atomic_load(&f->stopping)) {
        struct fail fail = {0};
        if (f->retry_ms)
            wait_for_wake(f, f->retry_ms);
        /* Also after a failure: a standby lets nobody wait for changes. */
        enum err err = change_wait(f->db, f->config.wake_fd, f->retry_ms ? 0 : NODE_BEAT_MS, &fail);
        reset_wake(f);
        if (!err)
            err = apply_notices(f, &fail);
        if (err)
            note_failure(f, err, &fail);
        else
            note_success(f);
        beat_if_due(f);
    }
    rcu_thread_stop();
    return NULL;
}

enum err follow_start(const struct follow_config *config, struct follow **ret, struct fail *fail)
{
    struct follow *f = MEM_NEW(struct follow);
    f->config = *config;
    f->seq = f->beat_seq = config->seq;
    f->beat_at_ms = clock_mono_ms();
    f->witness.wall_less_boot_ms = INSTANT_NONE;
    atomic_init(&f->reached, config->seq);
    enum err err = store_open(config->url, STORE_READ, &f->db, fail);
    if (!err)
        err = writer_call(config->writer, WRITER_COUNT, write_first_beat, f, fail);
    if (!err)
        err = thread_start(&f->thread, follow_thread, f, "changes of the database", fail);
    if (err) {
        db_close(f->db);
        mem_free(f);
        return err;
    }
    *ret = f;
    return OK;
}

void follow_stop(struct follow *f)
{
    if (!f)
        return;
    atomic_store(&f->stopping, true);
    eventfd_write(f->config.wake_fd, 1);
    pthread_join(f->thread, NULL);
    struct fail fail = {0};
    if (writer_call(f->config.writer, WRITER_COUNT, remove_beat, f, &fail))
        log_line(LOG_WARN, "cannot delete the heartbeat", LOG_S("reason", str_from(fail.text)));
    db_close(f->db);
    mem_free(f);
}

int64_t follow_reached(const struct follow *f)
{
    return atomic_load(&f->reached);
}

int64_t follow_lag_ms(const struct follow *f)
{
    int64_t since = atomic_load(&f->behind_since_ms);
    return since ? clock_mono_ms() - since : 0;
}

uint64_t follow_errors(const struct follow *f)
{
    return atomic_load(&f->errors);
}

int64_t follow_clock_ahead_ms(const struct follow *f)
{
    return atomic_load(&f->clock.ahead_ms);
}

bool follow_shut_out(const struct follow *f, struct fail *fail)
{
    if (!atomic_load(&f->shut_out))
        return false;
    *fail = f->shut_out_fail;
    return true;
}
