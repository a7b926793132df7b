/* The connection to Redis; see redis_link.h. One thread runs a libuv loop with the socket (through
 * hiredis' adapter) and an async handle that wakes it. */
#include "limits/redis_link.h"

#include <assert.h>
#include <hiredis/adapters/libuv.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/mem.h"
#include "limits/redis_call.h"
#include "limits/redis_reply.h"

enum { SCRIPTS_MAX = 4, WAIT_BUSY_MS = 50, WAIT_IDLE_MS = 1000, CLOCK_EVERY_MS = 10000 };

struct redis_link {
    struct redis_url url;
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

    pthread_mutex_t lock; /* guards the queue */
    struct redis_call_list queue;

    /* Used by the link's thread only. */
    redisAsyncContext *context;     /* NULL: not connected, not connecting */
    struct redis_reply_bound bound; /* of the context's reader */
    bool broken;                    /* an answer made this connection unusable */
    bool said_lost;
    int64_t attempt_ms; /* start of the last connection attempt */
    int64_t clock_ms;   /* last time that Redis's clock was asked for */
    size_t greetings;   /* outstanding answers of the login */
    struct redis_call_list sent;
    char reason[160]; /* why the connection was lost */
};

static void call_end(
    struct redis_link *link, struct redis_call *call, const int64_t *numbers, size_t n)
{
    atomic_fetch_sub(&link->calls, 1);
    redis_call_finish(call, numbers, n);
}

static void note_reason(struct redis_link *link, const char *reason)
{
    snprintf(link->reason, sizeof link->reason, "%s", reason);
}

/* hiredis frees the context after either callback. */

static void lost(const redisAsyncContext *context, int status)
{
    struct redis_link *link = context->data;
    if (status != REDIS_OK)
        note_reason(link, context->errstr);
    link->context = NULL;
}

static void greet(struct redis_link *link);

static void connected(const redisAsyncContext *context, int status)
{
    struct redis_link *link = context->data;
    if (status == REDIS_OK)
        greet(link);
    else
        lost(context, status);
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
    redisAsyncContext *context = link->context;
    link->context = NULL;
    if (context)
        redisAsyncFree(context);
    link->broken = false;
}

/* Redis's clock drifts against ours, and either may be set: ask for it periodically. */

static void take_clock(struct redis_link *link, const redisReply *reply)
{
    int64_t ms;
    if (redis_reply_clock(reply, &ms))
        atomic_store(&link->clock_ahead_ms, ms - clock_mono_ms());
}

static void clock_answered(redisAsyncContext *context, void *reply, void *unused)
{
    if (reply)
        take_clock(context->data, reply);
}

static void ask_clock(struct redis_link *link)
{
    int64_t now = clock_mono_ms();
    if (!link->context || !atomic_load(&link->ready) || now - link->clock_ms < CLOCK_EVERY_MS)
        return;
    link->clock_ms = now;
    if (redisAsyncCommand(link->context, clock_answered, NULL, "TIME") != REDIS_OK)
        link->broken = true;
}

/* Log in, read the clock, load the scripts: sent together after connecting. */

static void greeted(redisAsyncContext *context, void *reply_pointer, void *unused)
{
    struct redis_link *link = context->data;
    const redisReply *reply = reply_pointer;
    if (!reply)
        return;
    if (reply->type == REDIS_REPLY_ERROR) {
        give_up(link, reply->str);
        return;
    }
    take_clock(link, reply); /* if it is the reply to TIME */
    if (--link->greetings == 0) {
        atomic_store(&link->ready, true);
        if (link->said_lost)
            log_line(LOG_INFO, "redis is connected again");
        link->said_lost = false;
    }
}

static void say(struct redis_link *link, const char *const *words, int n)
{
    link->greetings++;
    if (redisAsyncCommandArgv(
            link->context, greeted, NULL, n, (const char **)(uintptr_t)words, NULL) != REDIS_OK)
        link->broken = true;
}

static void greet(struct redis_link *link)
{
    const struct redis_url *url = &link->url;
    link->greetings = 0;
    link->clock_ms = clock_mono_ms();
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

static void attempt(struct redis_link *link)
{
    link->attempt_ms = clock_mono_ms();
    link->broken = false;
    redisAsyncContext *context = redisAsyncConnect(link->url.host, link->url.port);
    if (!context)
        return;
    if (context->err || redisLibuvAttach(context, &link->loop) != REDIS_OK) {
        note_reason(link, context->errstr);
        redisAsyncFree(context);
        return;
    }
    redis_reply_bind(&link->bound, context->c.reader);
    context->data = link;
    link->context = context;
    redisAsyncSetDisconnectCallback(context, lost);
    redisAsyncSetConnectCallback(
        context, connected); /* asks for writability: the end of connecting */
}

/* Answers arrive in the order of the calls. */
static void answered(redisAsyncContext *context, void *reply_pointer, void *call_pointer)
{
    struct redis_link *link = context->data;
    const redisReply *reply = reply_pointer;
    struct redis_call *call = redis_call_take(&link->sent);
    int64_t numbers[REDIS_CALL_NUMBERS_MAX];
    size_t n = 0;
    assert(call == call_pointer);
    if (!reply)
        atomic_store(&link->ready, false); /* the context is about to be freed */
    const char *wrong = reply ? redis_reply_numbers(reply, numbers, &n) : NULL;
    if (wrong)
        give_up(link, wrong);
    call_end(link, call, numbers, n);
}

static void send_queue(struct redis_link *link)
{
    struct redis_call_list queue;
    struct redis_call *call;
    pthread_mutex_lock(&link->lock);
    redis_call_take_all(&link->queue, &queue);
    pthread_mutex_unlock(&link->lock);
    while ((call = redis_call_take(&queue))) {
        if (!atomic_load(&link->ready) || link->broken || !link->context ||
            redisAsyncFormattedCommand(
                link->context, answered, call, call->command, call->command_n) != REDIS_OK) {
            call_end(link, call, NULL, 0);
            continue;
        }
        redis_call_add(&link->sent, call);
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
    if (link->context && !link->broken && overdue(link))
        give_up(link, "no answer in time");
    if (link->broken)
        drop(link);
    if (link->context)
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
    if (!link->context)
        return REDIS_LINK_RETRY_MS;
    return atomic_load(&link->ready) && !link->sent.first ? WAIT_IDLE_MS : WAIT_BUSY_MS;
}

static void on_wake(uv_async_t *wake)
{
}

static void on_due(uv_timer_t *due)
{
}

/* On a socket error the adapter stops polling silently: a read finds the error. */
static void find_error(struct redis_link *link)
{
    const redisLibuvEvents *polled = link->context ? link->context->ev.data : NULL;
    if (polled && polled->events && !uv_is_active((const uv_handle_t *)&polled->handle))
        redisAsyncHandleRead(link->context);
}

static void turn(struct redis_link *link)
{
    uv_timer_start(&link->due, on_due, wait_ms(link), 0);
    uv_run(&link->loop, UV_RUN_ONCE);
    find_error(link);
    send_queue(link);
    ask_clock(link);
    if (link->context && atomic_load(&link->ready))
        redisAsyncHandleWrite(link->context); /* at once, not in the next turn */
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

struct redis_link *redis_link_create(const struct redis_url *url)
{
    struct redis_link *link = MEM_NEW(struct redis_link);
    link->url = *url;
    if (uv_loop_init(&link->loop) != 0) {
        mem_free(link);
        return NULL;
    }
    uv_async_init(&link->loop, &link->wake, on_wake);
    uv_timer_init(&link->loop, &link->due);
    pthread_mutex_init(&link->lock, NULL);
    redis_call_list_init(&link->queue);
    redis_call_list_init(&link->sent);
    note_reason(link, "not connected yet");
    return link;
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
    pthread_mutex_destroy(&link->lock);
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
