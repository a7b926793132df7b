/* The connection to Redis; see redis_link.h. One thread runs a libuv loop with the socket
 * (redis_wire.h) and an async handle that wakes it. */
#include "limits/redis_link.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/instant.h"
#include "base/log.h"
#include "base/mem.h"
#include "limits/redis_call.h"
#include "limits/redis_reply.h"
#include "limits/redis_wire.h"

enum { SCRIPTS_MAX = 4, WAIT_BUSY_MS = 50, WAIT_IDLE_MS = 1000, CLOCK_EVERY_MS = 10000 };

struct redis_link {
    struct redis_url url;
    struct redis_tls *tls; /* NULL: none */
    struct redis_script scripts[SCRIPTS_MAX];
    size_t script_count;
    pthread_t thread;
    bool started;
    uv_loop_t loop;
    uv_async_t wake;
    uv_timer_t due; /* ends a turn without events */

    _Atomic bool stopping;
    _Atomic bool ready;             /* logged in, scripts loaded, clock known */
    _Atomic int64_t clock_ahead_ms; /* Redis's clock minus the monotonic one here */
    _Atomic uint32_t calls;         /* in flight */
    _Atomic uint64_t losses;

    pthread_mutex_t lock; /* guards the queue and the members for the version */
    struct redis_call_list queue;
    pthread_cond_t told; /* an answer to INFO arrived */
    bool version_wanted;
    uint64_t told_count;
    char version[REDIS_VERSION_SIZE]; /* of the last answer; empty: it had none */

    /* Used by the link's thread only. */
    struct redis_wire *wire; /* NULL: not connected, not connecting */
    bool broken;             /* an answer made this connection unusable */
    bool said_lost;
    int64_t attempt_ms; /* start of the last connection attempt */
    int64_t clock_ms;   /* last time that Redis's clock was asked for */
    size_t greetings;   /* outstanding answers of the login */
    bool asked_to_auth; /* and the answer is outstanding */
    struct redis_call_list sent;
    char reason[REDIS_WIRE_REASON_MAX]; /* why the connection was lost */
};

static void call_end(
    struct redis_link *link, struct redis_call *call, const int64_t *numbers, size_t n)
{
    if (call->kind == REDIS_CALL_SCRIPT)
        atomic_fetch_sub(&link->calls, 1);
    redis_call_finish(call, numbers, n);
}

static void note_reason(struct redis_link *link, const char *reason)
{
    snprintf(link->reason, sizeof link->reason, "%s", reason);
}

/* Accepts no more calls. Dropping the connection ends the calls in flight without an answer. */
static void give_up(struct redis_link *link, const char *reason)
{
    note_reason(link, reason);
    atomic_store(&link->ready, false);
    link->broken = true;
}

static void drop(struct redis_link *link)
{
    struct redis_call *call;
    atomic_store(&link->ready, false);
    redis_wire_close(link->wire);
    link->wire = NULL;
    link->broken = false;
    while ((call = redis_call_take(&link->sent)))
        call_end(link, call, NULL, 0);
}

static void send_call(struct redis_link *link, struct redis_call *call)
{
    redis_wire_send(link->wire, call->command, call->command_n);
    redis_call_add(&link->sent, call);
}

static void send_words(
    struct redis_link *link, enum redis_call_kind kind, const char *const *words, size_t n)
{
    struct redis_call *call = redis_call_of_words(kind, words, n);
    call->asked_ms = clock_mono_ms();
    send_call(link, call);
}

/* Redis's clock drifts against ours, and either may be set: ask for it periodically. */

static void take_clock(struct redis_link *link, const redisReply *reply)
{
    int64_t ms;
    if (redis_reply_clock(reply, &ms))
        atomic_store(&link->clock_ahead_ms, ms - clock_mono_ms());
}

static void ask_clock(struct redis_link *link)
{
    int64_t now = clock_mono_ms();
    if (!link->wire || !atomic_load(&link->ready) || now - link->clock_ms < CLOCK_EVERY_MS)
        return;
    link->clock_ms = now;
    send_words(link, REDIS_CALL_CLOCK, (const char *[]){"TIME"}, 1);
}

/* Redis is asked for its version when somebody wants to know it. */

static void take_version(struct redis_link *link, const redisReply *reply)
{
    pthread_mutex_lock(&link->lock);
    if (!redis_reply_version(reply, link->version))
        link->version[0] = '\0';
    link->told_count++;
    pthread_cond_broadcast(&link->told);
    pthread_mutex_unlock(&link->lock);
}

static void ask_version(struct redis_link *link)
{
    pthread_mutex_lock(&link->lock);
    bool ask = link->version_wanted && link->wire && atomic_load(&link->ready);
    if (ask)
        link->version_wanted = false;
    pthread_mutex_unlock(&link->lock);
    if (ask)
        send_words(link, REDIS_CALL_VERSION, (const char *[]){"INFO", "server"}, 2);
}

/* Log in, read the clock, load the scripts: sent together after connecting. */

/* Redis quotes the arguments of a command that it does not have, and AUTH can be renamed: the
 * reason ends at the first quotation mark, and has no password without one either. */
static void give_up_login(struct redis_link *link, const char *error)
{
    const char *password = link->url.password;
    char reason[REDIS_WIRE_REASON_MAX];
    snprintf(
        reason, sizeof reason, "it refused the login: %.*s", (int)strcspn(error, "'\"`"), error);
    if (password[0] && strstr(reason, password))
        snprintf(reason, sizeof reason, "it refused the login");
    give_up(link, reason);
}

static void greeted(struct redis_link *link, const redisReply *reply)
{
    bool to_auth = link->asked_to_auth;
    link->asked_to_auth = false; /* it was the first */
    if (reply->type == REDIS_REPLY_ERROR) {
        (to_auth ? give_up_login : give_up)(link, reply->str);
        return;
    }
    take_clock(link, reply); /* if it is the reply to TIME */
    if (--link->greetings == 0 && !link->broken) {
        atomic_store(&link->ready, true);
        if (link->said_lost)
            log_line(LOG_INFO, "redis is connected again");
        link->said_lost = false;
    }
}

static void say(struct redis_link *link, const char *const *words, size_t n)
{
    link->greetings++;
    send_words(link, REDIS_CALL_GREETING, words, n);
}

static void greet(struct redis_link *link)
{
    const struct redis_url *url = &link->url;
    link->greetings = 0;
    link->clock_ms = clock_mono_ms();
    link->asked_to_auth = url->password[0];
    if (url->user[0])
        say(link, (const char *[]){"AUTH", url->user, url->password}, 3);
    else if (url->password[0])
        say(link, (const char *[]){"AUTH", url->password}, 2);
    if (url->database) {
        char number[16];
        snprintf(number, sizeof number, "%d", url->database);
        say(link, (const char *[]){"SELECT", number}, 2);
    }
    say(link, (const char *[]){"TIME"}, 1);
    for (size_t i = 0; i < link->script_count; i++)
        say(link, (const char *[]){"SCRIPT", "LOAD", link->scripts[i].text}, 3);
}

static void opened(void *ctx)
{
    greet(ctx);
}

static void answered(struct redis_link *link, struct redis_call *call, const redisReply *reply)
{
    int64_t numbers[REDIS_CALL_NUMBERS_MAX];
    size_t n = 0;
    const char *wrong = redis_reply_numbers(reply, numbers, &n);
    if (wrong)
        give_up(link, wrong);
    call_end(link, call, numbers, n);
}

/* Replies arrive in the order of the calls. */
static void replied(void *ctx, const redisReply *reply)
{
    struct redis_link *link = ctx;
    struct redis_call *call = redis_call_take(&link->sent);
    if (!call) {
        give_up(link, "an answer to no question");
        return;
    }
    switch (call->kind) {
    case REDIS_CALL_SCRIPT:
        answered(link, call, reply); /* frees the call */
        return;
    case REDIS_CALL_GREETING:
        greeted(link, reply);
        break;
    case REDIS_CALL_CLOCK:
        take_clock(link, reply);
        break;
    case REDIS_CALL_VERSION:
        take_version(link, reply);
        break;
    }
    call_end(link, call, NULL, 0);
}

static void attempt(struct redis_link *link)
{
    static const struct redis_wire_events events = {.opened = opened, .replied = replied};
    link->attempt_ms = clock_mono_ms();
    link->broken = false;
    link->wire = redis_wire_open(&link->loop, &link->url, link->tls, &events, link, link->reason);
}

static void send_queue(struct redis_link *link)
{
    struct redis_call_list queue;
    struct redis_call *call;
    pthread_mutex_lock(&link->lock);
    redis_call_take_all(&link->queue, &queue);
    pthread_mutex_unlock(&link->lock);
    while ((call = redis_call_take(&queue))) {
        if (!atomic_load(&link->ready) || link->broken || !link->wire)
            call_end(link, call, NULL, 0);
        else
            send_call(link, call);
    }
}

static bool overdue(const struct redis_link *link)
{
    int64_t now = clock_mono_ms();
    if (!atomic_load(&link->ready))
        return now - link->attempt_ms > REDIS_LINK_CONNECT_MS;
    return link->sent.first && now - link->sent.first->asked_ms > REDIS_LINK_ANSWER_MS;
}

/* Runs after anything that may have ended the connection. */
static void tend(struct redis_link *link)
{
    const char *failed = link->wire ? redis_wire_failed(link->wire) : NULL;
    if (failed && !link->broken)
        give_up(link, failed);
    if (link->wire && !link->broken && overdue(link))
        give_up(
            link, link->url.tls && !link->greetings && !atomic_load(&link->ready)
                      ? "no TLS connection in time"
                      : "no answer in time");
    if (link->broken) {
        drop(link);
        send_queue(link); /* ends what was queued: the look-up of the name can take seconds */
    }
    if (link->wire)
        return;
    atomic_store(&link->ready, false);
    if (!link->said_lost) {
        atomic_fetch_add(&link->losses, 1);
        log_line(
            LOG_WARN, "redis is unreachable: requests get 503 until it answers",
            LOG_S("reason", str_from(link->reason)));
        link->said_lost = true;
    }
    if (clock_mono_ms() - link->attempt_ms >= REDIS_LINK_RETRY_MS)
        attempt(link);
}

static uint64_t wait_ms(const struct redis_link *link)
{
    if (!link->wire)
        return REDIS_LINK_RETRY_MS;
    return atomic_load(&link->ready) && !link->sent.first ? WAIT_IDLE_MS : WAIT_BUSY_MS;
}

static void on_wake(uv_async_t *wake)
{
}

static void on_due(uv_timer_t *due)
{
}

static void turn(struct redis_link *link)
{
    uv_timer_start(&link->due, on_due, wait_ms(link), 0);
    uv_run(&link->loop, UV_RUN_ONCE);
    send_queue(link);
    ask_clock(link);
    ask_version(link);
    if (link->wire)
        redis_wire_flush(link->wire);
    tend(link);
}

static void *run(void *arg)
{
    struct redis_link *link = arg;
    attempt(link);
    while (!atomic_load(&link->stopping))
        turn(link);
    atomic_store(&link->ready, false);
    drop(link);
    send_queue(link);
    return NULL;
}

/* Its waits end at a time of the monotonic clock. */
static void init_told(pthread_cond_t *told)
{
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(told, &attr);
    pthread_condattr_destroy(&attr);
}

enum err redis_link_create(
    const struct redis_url *url, struct str ca_file, struct redis_link **ret, struct fail *fail)
{
    struct redis_link *link = MEM_NEW(struct redis_link);
    link->url = *url;
    enum err err = url->tls ? redis_tls_create(ca_file, &link->tls, fail) : OK;
    if (!err && uv_loop_init(&link->loop) != 0)
        err = fail_set(
            fail, ERR_IO, "cannot start the Redis connection: no file descriptor is available");
    if (err) {
        redis_tls_destroy(link->tls);
        mem_free(link);
        return err;
    }
    uv_async_init(&link->loop, &link->wake, on_wake);
    uv_timer_init(&link->loop, &link->due);
    pthread_mutex_init(&link->lock, NULL);
    init_told(&link->told);
    redis_call_list_init(&link->queue);
    redis_call_list_init(&link->sent);
    note_reason(link, "not connected yet");
    *ret = link;
    return OK;
}

void redis_link_destroy(struct redis_link *link)
{
    if (!link)
        return;
    if (link->started) {
        atomic_store(&link->stopping, true);
        uv_async_send(&link->wake);
        pthread_join(link->thread, NULL);
    }
    uv_close((uv_handle_t *)&link->wake, NULL);
    uv_close((uv_handle_t *)&link->due, NULL);
    uv_run(&link->loop, UV_RUN_DEFAULT);
    uv_loop_close(&link->loop);
    pthread_cond_destroy(&link->told);
    pthread_mutex_destroy(&link->lock);
    redis_tls_destroy(link->tls);
    mem_wipe(link, sizeof *link);
    mem_free(link);
}

const struct redis_script *redis_link_script(struct redis_link *link, const char *text)
{
    assert(link->script_count < SCRIPTS_MAX && !link->started);
    struct redis_script *script = &link->scripts[link->script_count++];
    redis_script_init(script, text);
    return script;
}

bool redis_link_start(struct redis_link *link)
{
    link->started = pthread_create(&link->thread, NULL, run, link) == 0;
    return link->started;
}

bool redis_link_ready(const struct redis_link *link)
{
    return atomic_load(&link->ready);
}

bool redis_link_version(struct redis_link *link, char ret[static REDIS_VERSION_SIZE])
{
    int64_t until_ms = clock_mono_ms() + REDIS_LINK_ANSWER_MS;
    const struct timespec until = {
        .tv_sec = until_ms / SECOND_MS, .tv_nsec = until_ms % SECOND_MS * 1000000};
    if (!atomic_load(&link->ready))
        return false;
    pthread_mutex_lock(&link->lock);
    uint64_t before = link->told_count;
    link->version_wanted = true;
    uv_async_send(&link->wake);
    while (link->told_count == before &&
           pthread_cond_timedwait(&link->told, &link->lock, &until) == 0)
        ;
    bool told = link->told_count != before && link->version[0];
    if (told)
        memcpy(ret, link->version, sizeof link->version);
    pthread_mutex_unlock(&link->lock);
    return told;
}

uint64_t redis_link_losses(const struct redis_link *link)
{
    return atomic_load(&link->losses);
}

bool redis_link_call(
    struct redis_link *link, const struct redis_script *script, size_t key_count,
    const struct str *arguments, size_t n, redis_answered *answer, void *ctx)
{
    if (!atomic_load(&link->ready))
        return false;
    if (atomic_fetch_add(&link->calls, 1) >= REDIS_LINK_CALLS_MAX) {
        atomic_fetch_sub(&link->calls, 1);
        return false;
    }
    int64_t now_ms = clock_mono_ms();
    struct redis_call *call = redis_call_create(
        script, key_count, arguments, n,
        now_ms + REDIS_LINK_ANSWER_MS + atomic_load(&link->clock_ahead_ms));
    call->answered = answer;
    call->ctx = ctx;
    call->asked_ms = now_ms;
    pthread_mutex_lock(&link->lock);
    bool was_empty = !link->queue.first;
    redis_call_add(&link->queue, call);
    pthread_mutex_unlock(&link->lock);
    if (was_empty)
        uv_async_send(&link->wake);
    return true;
}
