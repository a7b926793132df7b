/* A loop and its thread; see loop_thread.h. */
#include "http/loop_thread.h"

#include <assert.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/thread.h"
#include "http/accept.h"
#include "http/conn.h"
#include "http/conn_overdue.h"
#include "http/conn_reader.h"
#include "http/exchange.h"
#include "http/loop.h"
#include "http/stream_run.h"
#include "http/streams.h"

#include "base/crypto.h"
#include "base/rcu.h"

enum { TICK_MS_MAX = 250, TICK_MS_MIN = 5, READER_LOOKS = 20 };

/* ---- draining and stopping ---- */

static void on_accept_closed(uv_handle_t *handle)
{
    struct loop *loop = handle->data;
    pthread_mutex_lock(&loop->server->lock);
    loop->server->loops_hidden++;
    pthread_cond_broadcast(&loop->server->changed);
    pthread_mutex_unlock(&loop->server->lock);
}

static void each_conn(struct loop *loop, void (*fn)(struct conn *))
{
    for (struct conn *c = loop->conns, *next; c; c = next) {
        next = c->next;
        fn(c);
    }
}

static void drain(struct loop *loop)
{
    if (loop->draining)
        return;
    accept_rest(loop, on_accept_closed);
    loop->draining = true;
    each_conn(loop, conn_drain);
    loop_tell_empty(loop);
}

static void stop(struct loop *loop)
{
    each_conn(loop, conn_close);
    uv_close((uv_handle_t *)&loop->tick, NULL);
    uv_close((uv_handle_t *)&loop->before_poll, NULL);
    streams_close(loop);
    uv_close((uv_handle_t *)&loop->wake, NULL);
}

static void on_wake(uv_poll_t *wake, int status, int events)
{
    struct loop *loop = wake->data;
    uint64_t wakes;
    ssize_t unused = read(loop->wake_fd, &wakes, sizeof wakes);
    (void)unused; /* before the mail: what comes later wakes again */
    exchange_read_mail(loop);
    if (atomic_exchange(&loop->streams_asked, false))
        streams_wake(loop);
    if (atomic_load(&loop->drain_asked))
        drain(loop);
    if (atomic_load(&loop->cut_asked))
        each_conn(loop, conn_close);
    if (atomic_load(&loop->stop_asked) && !uv_is_closing((uv_handle_t *)wake))
        stop(loop);
}

/* ---- time ---- */

static void on_tick(uv_timer_t *tick)
{
    struct loop *loop = tick->data;
    loop->now_ms = 0;         /* a turn begins */
    exchange_read_mail(loop); /* replies that were made in time, before their deadlines */
    struct deadline *passed;
    while ((passed = deadlines_pop(&loop->deadlines, loop_now_ms(loop)))) {
        if (passed->kind == DEADLINE_READER)
            conn_reader_look(conn_of_reader(passed));
        else
            conn_overdue(conn_of_deadline(passed));
    }
    streams_tick(loop);
    accept_resume(loop);
    loop_count(loop, TALLY_TICKS);
}

/* Often enough to keep the shortest deadline to within a quarter of its length. */
static uint64_t set_lengths(struct deadlines *ds, const struct http_limits *limits)
{
    deadlines_init(ds);
    ds->length_ms[DEADLINE_IDLE] = limits->idle_ms;
    ds->length_ms[DEADLINE_HEAD] = limits->head_ms;
    ds->length_ms[DEADLINE_BODY] = limits->body_ms;
    ds->length_ms[DEADLINE_READER] = limits->write_grace_ms / READER_LOOKS;
    ds->length_ms[DEADLINE_LINGER] = limits->linger_ms;
    ds->length_ms[DEADLINE_REPLY] = limits->reply_ms;
    ds->length_ms[DEADLINE_PATIENT] = limits->patient_reply_ms;
    ds->length_ms[DEADLINE_LAST_CALL] = limits->last_call_ms;
    int64_t tick_ms = TICK_MS_MAX;
    for (int kind = 0; kind < DEADLINE_KINDS; kind++) {
        if (ds->length_ms[kind] / 4 < tick_ms)
            tick_ms = ds->length_ms[kind] / 4;
    }
    return (uint64_t)(tick_ms > TICK_MS_MIN ? tick_ms : TICK_MS_MIN);
}

/* ---- start and end ---- */

static void on_before_poll(uv_prepare_t *prepare)
{
    struct loop *loop = prepare->data;
    loop->now_ms = 0;
    if (loop->descriptor_freed) {
        loop->descriptor_freed = false;
        accept_resume(loop);
    }
    rcu_idle();
}

static void *loop_main(void *arg)
{
    struct loop *loop = arg;
    rcu_thread_start();
    rcu_thread_in_bursts();
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    rcu_thread_stop();
    return NULL;
}

static void release(struct loop *loop)
{
    int error = uv_loop_close(&loop->uv);
    assert(error == 0);
    exchange_free_all(loop);
    reply_space_free_all(&loop->spaces);
    streams_finish(loop);
    while (loop->free_conns) {
        struct conn *c = loop->free_conns;
        loop->free_conns = c->next;
        mem_free(c);
    }
    if (loop->spare_fd >= 0)
        close(loop->spare_fd);
    close(loop->wake_fd);
    pthread_mutex_destroy(&loop->mail_lock);
    mem_free(loop->scratch);
    mem_free(loop);
}

static void close_handle(uv_handle_t *handle, void *arg)
{
    uv_close(handle, NULL);
}

static enum err begin(struct loop *loop, struct fail *fail)
{
    uv_timer_init(&loop->uv, &loop->tick);
    loop->tick.data = loop;
    uv_prepare_init(&loop->uv, &loop->before_poll);
    loop->before_poll.data = loop;
    uv_prepare_start(&loop->before_poll, on_before_poll);
    streams_init(loop, stream_run_due);
    int error = uv_poll_init(&loop->uv, &loop->wake, loop->wake_fd);
    if (error)
        return fail_set(fail, ERR_IO, "cannot start a loop: %s", uv_strerror(error));
    loop->wake.data = loop;
    uv_poll_start(&loop->wake, UV_READABLE, on_wake);
    enum err err = accept_init(loop, fail);
    if (err)
        return err;
    uint64_t tick_ms = set_lengths(&loop->deadlines, &loop->server->limits);
    uv_timer_start(&loop->tick, on_tick, tick_ms, tick_ms);
    return thread_start(&loop->thread, loop_main, loop, "connections", fail);
}

enum err loop_thread_start(struct http_server *server, struct loop **ret, struct fail *fail)
{
    struct loop *loop = MEM_NEW(struct loop);
    loop->server = server;
    loop->spare_fd = -1;
    loop->date_s = INT64_MIN;
    loop->scratch = mem_alloc(EXCHANGE_IN_SIZE);
    random_bytes(&loop->id_next, sizeof loop->id_next);
    pthread_mutex_init(&loop->mail_lock, NULL);
    loop->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    int error = loop->wake_fd < 0 ? UV_EMFILE : uv_loop_init(&loop->uv);
    if (error) {
        if (loop->wake_fd >= 0)
            close(loop->wake_fd);
        pthread_mutex_destroy(&loop->mail_lock);
        mem_free(loop->scratch);
        mem_free(loop);
        return fail_set(fail, ERR_IO, "cannot start a loop: %s", uv_strerror(error));
    }
    enum err err = begin(loop, fail);
    if (err) {
        uv_walk(&loop->uv, close_handle, NULL);
        uv_run(&loop->uv, UV_RUN_DEFAULT);
        release(loop);
        return err;
    }
    *ret = loop;
    return OK;
}

void loop_thread_join(struct loop *loop)
{
    pthread_join(loop->thread, NULL);
    release(loop);
}
