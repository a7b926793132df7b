/* One connection on a loop of its own; see redis_look.h. */
#include "limits/redis_look.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/mem.h"
#include "limits/redis_call.h"
#include "limits/redis_reply.h"
#include "limits/redis_wire.h"

/* The answer to INFO: lines of "name:value"; see redis_look.h. The peer may be another's: a value
 * of any form gives a word of letters, digits, dots and hyphens, or nothing. */

static const struct {
    const char *name;
    size_t at; /* in struct redis_look */
    bool number;
} lines[] = {
    {"redis_version", offsetof(struct redis_look, version), false},
    {"redis_mode", offsetof(struct redis_look, mode), false},
    {"cluster_state", offsetof(struct redis_look, cluster), false},
    {"role", offsetof(struct redis_look, role), false},
    {"maxmemory_policy", offsetof(struct redis_look, policy), false},
    {"used_memory", offsetof(struct redis_look, memory), true},
    {"maxmemory", offsetof(struct redis_look, memory_max), true},
    {"evicted_keys", offsetof(struct redis_look, evicted), true},
};

static bool is_word(struct str value)
{
    for (size_t i = 0; i < value.n; i++)
        if (!ascii_is_alpha(value.p[i]) && !ascii_is_digit(value.p[i]) &&
            !memchr(".-", value.p[i], 2))
            return false;
    return value.n && value.n < REDIS_LOOK_WORD_SIZE;
}

static void take_value(void *to, bool number, struct str value)
{
    int64_t n;
    if (number && str_to_i64(value, &n) && n >= 0)
        *(int64_t *)to = n;
    if (!number && is_word(value)) {
        memcpy(to, value.p, value.n);
        ((char *)to)[value.n] = '\0';
    }
}

static void take_line(struct str line, struct redis_look *ret)
{
    ptrdiff_t colon = str_find_char(line, ':');
    struct str name = str_slice(line, 0, colon < 0 ? 0 : (size_t)colon);
    for (size_t i = 0; name.n && i < sizeof lines / sizeof *lines; i++)
        if (str_eq(name, str_from(lines[i].name)))
            take_value(
                (char *)ret + lines[i].at, lines[i].number,
                str_trim(str_slice(line, name.n + 1, line.n)));
}

void redis_look_read(struct str info, struct redis_look *ret)
{
    while (info.n) {
        ptrdiff_t end = str_find_char(info, '\n');
        size_t n = end < 0 ? info.n : (size_t)end;
        take_line(str_slice(info, 0, n), ret);
        info = str_slice(info, n + (end >= 0), info.n);
    }
}

#define TRIAL_KEY "stockact:doctor"
#define TRIAL "return redis.call('SET', KEYS[1], '1', 'EX', 10)"

enum { TEXT_SIZE = REDIS_SHA1_HEX + 1 };

struct redis_dialogue {
    const struct redis_url *url;
    const struct redis_place *place;
    struct redis_wire *wire;
    struct redis_script trial;
    struct redis_look *ret;
    struct fail *fail;
    enum err err;
    size_t step, repeated; /* the question that waits for its answer */
    char text[TEXT_SIZE];  /* a word of that question */
    int64_t asked_ns;
    bool done;
};

/* --- questions and answers, in this order */

enum { WORDS_MAX = 5 };

static void note_refusal(struct redis_dialogue *talk, const redisReply *reply)
{
    struct redis_look *ret = talk->ret;
    if (reply->type == REDIS_REPLY_ERROR && !ret->refused[0])
        snprintf(ret->refused, sizeof ret->refused, "%s", reply->str);
}

/* Redis may quote the password: its words are not repeated. */
static void on_login(struct redis_dialogue *talk, const redisReply *reply)
{
    if (reply->type == REDIS_REPLY_ERROR)
        talk->err = fail_set(talk->fail, ERR_REFUSED, "it refused the login");
}

static void on_select(struct redis_dialogue *talk, const redisReply *reply)
{
    if (reply->type == REDIS_REPLY_ERROR)
        talk->err = fail_set(
            talk->fail, ERR_REFUSED, "it has no database %d for this user: %s", talk->url->database,
            reply->str);
}

static void on_clock(struct redis_dialogue *talk, const redisReply *reply)
{
    struct redis_look *ret = talk->ret;
    int64_t now = clock_mono_ns();
    if (!redis_reply_clock(reply, &ret->clock_ms)) {
        talk->err = fail_set(
            talk->fail, ERR_REFUSED, "it does not tell its time: %s",
            reply->type == REDIS_REPLY_ERROR ? reply->str : "it may be another program");
        return;
    }
    ret->ns[talk->repeated] = now - talk->asked_ns;
    ret->mono_ms = (talk->asked_ns + (now - talk->asked_ns) / 2) / 1000000;
}

static void on_info(struct redis_dialogue *talk, const redisReply *reply)
{
    talk->ret->informed = reply->type == REDIS_REPLY_STRING;
    if (talk->ret->informed)
        redis_look_read(str_of(reply->str, (size_t)reply->len), talk->ret);
}

/* A Redis without a cluster refuses the question. */
static void on_cluster(struct redis_dialogue *talk, const redisReply *reply)
{
    if (reply->type == REDIS_REPLY_STRING)
        redis_look_read(str_of(reply->str, (size_t)reply->len), talk->ret);
}

static size_t ask_login(struct redis_dialogue *talk, const char **words)
{
    const struct redis_url *url = talk->url;
    size_t n = 0;
    if (!url->password[0])
        return 0;
    words[n++] = "AUTH";
    if (url->user[0])
        words[n++] = url->user;
    words[n++] = url->password;
    return n;
}

static size_t ask_database(struct redis_dialogue *talk, const char **words)
{
    snprintf(talk->text, sizeof talk->text, "%d", talk->url->database);
    words[0] = "SELECT";
    words[1] = talk->text;
    return talk->url->database ? 2 : 0;
}

static size_t ask_clock(struct redis_dialogue *talk, const char **words)
{
    words[0] = "TIME";
    return 1;
}

static size_t load_trial(struct redis_dialogue *talk, const char **words)
{
    words[0] = "SCRIPT";
    words[1] = "LOAD";
    words[2] = TRIAL;
    return 3;
}

static size_t run_trial(struct redis_dialogue *talk, const char **words)
{
    snprintf(talk->text, sizeof talk->text, "%.*s", REDIS_SHA1_HEX, talk->trial.sha1);
    words[0] = "EVALSHA";
    words[1] = talk->text;
    words[2] = "1";
    words[3] = TRIAL_KEY;
    return 4;
}

static size_t ask_info(struct redis_dialogue *talk, const char **words)
{
    words[0] = "INFO";
    return 1;
}

static size_t ask_cluster(struct redis_dialogue *talk, const char **words)
{
    words[0] = "CLUSTER";
    words[1] = "INFO";
    return talk->ret->informed ? 2 : 0;
}

static const struct {
    size_t (*ask)(
        struct redis_dialogue *talk, const char **words); /* the number of words; 0: not asked */
    void (*answered)(struct redis_dialogue *talk, const redisReply *reply);
    size_t times;
} steps[] = {
    {ask_login, on_login, 1},
    {ask_database, on_select, 1},
    {ask_clock, on_clock, REDIS_LOOK_TIMES},
    {load_trial, note_refusal, 1},
    {run_trial, note_refusal, 1},
    {ask_info, on_info, 1},
    {ask_cluster, on_cluster, 1},
};

enum { STEP_COUNT = sizeof steps / sizeof *steps };

/* --- the dialogue */

/* Asks the question of this step, or of the first after it that is asked. */
static void ask(struct redis_dialogue *talk)
{
    const char *words[WORDS_MAX];
    size_t n = 0;
    while (talk->step < STEP_COUNT && !(n = steps[talk->step].ask(talk, words)))
        talk->step++;
    talk->done = talk->step == STEP_COUNT;
    if (talk->done)
        return;
    struct redis_call *call = redis_call_of_words(REDIS_CALL_GREETING, words, n);
    talk->asked_ns = clock_mono_ns();
    redis_wire_send(talk->wire, call->command, call->command_n);
    redis_call_finish(call, NULL, 0);
}

static void opened(void *ctx)
{
    ask(ctx);
}

static void replied(void *ctx, const redisReply *reply)
{
    struct redis_dialogue *talk = ctx;
    if (talk->done || talk->err)
        return;
    steps[talk->step].answered(talk, reply);
    talk->done = talk->err;
    if (talk->err)
        return;
    if (++talk->repeated == steps[talk->step].times) {
        talk->step++;
        talk->repeated = 0;
    }
    ask(talk);
}

static void on_late(uv_timer_t *timer)
{
    struct redis_dialogue *talk = timer->data;
    if (!talk->done)
        talk->err = fail_set(talk->fail, ERR_TIMEOUT, "it does not answer");
    talk->done = true;
    uv_stop(timer->loop); /* see on_due of redis_link.c */
}

static void converse(
    struct redis_dialogue *talk, uv_loop_t *loop, const struct redis_tls *tls, int64_t ms)
{
    static const struct redis_wire_events events = {.opened = opened, .replied = replied};
    uv_timer_t late;
    uv_timer_init(loop, &late);
    late.data = talk;
    uv_timer_start(&late, on_late, (uint64_t)ms, 0);
    talk->wire = redis_wire_open(loop, talk->place, tls, &events, talk);
    const char *failed = redis_wire_failed(talk->wire);
    while (!talk->done && !failed) {
        redis_wire_flush(talk->wire);
        uv_run(loop, UV_RUN_ONCE);
        redis_wire_flush(talk->wire);
        failed = talk->done ? NULL : redis_wire_failed(talk->wire);
    }
    if (failed && !talk->err)
        talk->err = fail_set(talk->fail, ERR_UNAVAILABLE, "%s", failed);
    redis_wire_close(talk->wire);
    uv_close((uv_handle_t *)&late, NULL);
    uv_run(loop, UV_RUN_DEFAULT);
}

enum err redis_look(
    const struct redis_url *url, const struct redis_place *place, struct str ca_file,
    int64_t time_max_ms, struct redis_look *ret, struct fail *fail)
{
    struct redis_dialogue talk = {.url = url, .place = place, .ret = ret, .fail = fail};
    struct redis_tls *tls = NULL;
    uv_loop_t loop;
    *ret = (struct redis_look){.memory = -1, .memory_max = -1, .evicted = -1};
    redis_script_init(&talk.trial, TRIAL);
    enum err err = url->tls ? redis_tls_create(ca_file, &tls, fail) : OK;
    if (!err && uv_loop_init(&loop) != 0)
        err = fail_set(fail, ERR_IO, "no file descriptor is available");
    else if (!err) {
        converse(&talk, &loop, tls, time_max_ms);
        uv_loop_close(&loop);
        err = talk.err;
    }
    redis_tls_destroy(tls);
    return err;
}
