/* Draws in Redis; see redis_draw.h. */
#include "limits/redis_draw.h"

#include <assert.h>
#include <stdio.h>

#include "base/codec.h"

enum {
    WINDOWS_MAX = 2 * ADDRESS_LEVELS_MAX, /* a minute and a month per level */
    MINUTE_KEPT_S = 15 * 60,              /* longer than any unnoticed step back of a clock */
    MONTH_KEPT_S = 70 * 24 * 3600,        /* this month and the next */
    KEY_SIZE_MAX = 96,
    NUMBER_SIZE_MAX = 24,
};

/* KEYS: minute and month of each level. ARGV: for each key its limit, the count that the caller
 * knows, and its time to live; then whether the connection is new, and the deadline. Returns 1
 * (drawn) or 0 (denied) and each count; an empty array after the deadline.
 *
 * A missing count continues from the caller's. So does a lower one if the connection is new: Redis
 * may have lost its last writes, or all of them, and another server may have brought its own lower
 * count since. Later this would undo refunds of other servers. */
static const char draw_script[] =
    "local now, used, denied, n = redis.call('TIME'), {0}, false, #KEYS\n"
    "if now[1] * 1000 + math.floor(now[2] / 1000) > tonumber(ARGV[3 * n + 2]) then return {} end\n"
    "local function put(i)\n"
    "  redis.call('SET', KEYS[i], string.format('%d', used[i + 1]), 'EX', ARGV[2 * n + i])\n"
    "end\n"
    "for i = 1, n do\n"
    "  local known, count = tonumber(ARGV[n + i]), redis.call('GET', KEYS[i])\n"
    "  used[i + 1] = tonumber(count or known)\n"
    "  if count and ARGV[3 * n + 1] == '1' and known > used[i + 1] then\n"
    "    used[i + 1] = known\n"
    "    put(i)\n"
    "  end\n"
    "  denied = denied or used[i + 1] >= tonumber(ARGV[i])\n"
    "end\n"
    "if denied then return used end\n"
    "used[1] = 1\n"
    "for i = 1, n do\n"
    "  used[i + 1] = used[i + 1] + 1\n"
    "  put(i)\n"
    "end\n"
    "return used\n";

/* KEYS: a minute. ARGV: its count, and its time to live. It writes in any case: a Redis that takes
 * no writes must not seem to work. */
static const char raise_script[] =
    "local count, known = tonumber(redis.call('GET', KEYS[1]) or '0'), tonumber(ARGV[1])\n"
    "redis.call('SET', KEYS[1], string.format('%d', math.max(count, known)), 'EX', ARGV[2])\n"
    "return {1}\n";

/* KEYS as above. A refund has no deadline: it may come late. */
static const char refund_script[] =
    "for i = 1, #KEYS do\n"
    "  if tonumber(redis.call('GET', KEYS[i]) or '0') > 0 then redis.call('DECR', KEYS[i]) end\n"
    "end\n"
    "return {1}\n";

struct redis_draws {
    struct redis_link *link;
    const struct redis_script *draw, *refund, *raise;
};

enum err redis_draws_check_built(struct fail *fail)
{
    return OK;
}

enum err redis_draws_create(
    const struct redis_url *url, struct str ca_file, const char *counts, struct redis_draws **ret,
    struct fail *fail)
{
    struct redis_link *link;
    TRY(redis_link_create(url, ca_file, counts, &link, fail));
    struct redis_draws *draws = MEM_NEW(struct redis_draws);
    draws->link = link;
    draws->draw = redis_link_script(link, draw_script);
    draws->refund = redis_link_script(link, refund_script);
    draws->raise = redis_link_script(link, raise_script);
    if (!redis_link_start(link)) {
        redis_draws_destroy(draws);
        return fail_set(fail, ERR_IO, "cannot start the Redis connection: no thread is available");
    }
    *ret = draws;
    return OK;
}

void redis_draws_destroy(struct redis_draws *draws)
{
    if (!draws)
        return;
    redis_link_destroy(draws->link);
    mem_free(draws);
}

bool redis_draws_ready(const struct redis_draws *draws)
{
    return redis_link_ready(draws->link);
}

bool redis_draws_version(struct redis_draws *draws, char ret[static REDIS_VERSION_SIZE])
{
    return redis_link_version(draws->link, ret);
}

uint64_t redis_draws_losses(const struct redis_draws *draws)
{
    return redis_link_losses(draws->link);
}

/* The arguments of a script, with buffers for their texts. */
struct arguments {
    size_t n;
    struct str words[REDIS_CALL_ARGUMENTS_MAX];
    char keys[WINDOWS_MAX][KEY_SIZE_MAX];
    char numbers[3 * WINDOWS_MAX][NUMBER_SIZE_MAX];
    size_t number_count;
};

static void put_number(struct arguments *arguments, uint32_t number)
{
    char *text = arguments->numbers[arguments->number_count++];
    int n = snprintf(text, NUMBER_SIZE_MAX, "%u", number);
    arguments->words[arguments->n++] = str_of(text, (size_t)n);
}

static void put_key(struct arguments *arguments, const char *caller, char kind, int64_t window)
{
    char *text = arguments->keys[arguments->n];
    int n = snprintf(text, KEY_SIZE_MAX, "stockact:%s:%c%lld", caller, kind, (long long)window);
    assert(n > 0 && n < KEY_SIZE_MAX && arguments->n < WINDOWS_MAX);
    arguments->words[arguments->n++] = str_of(text, (size_t)n);
}

static void caller_name(const struct shard_caller *caller, size_t level, char name[static 64])
{
    if (caller->keyed) {
        snprintf(name, 64, "{k%lld}", (long long)caller->key_no);
        return;
    }
    char hex[2 * ADDRESS_KEY_SIZE];
    hex_encode(caller->keys.levels[level].bytes, ADDRESS_KEY_SIZE, hex);
    snprintf(name, 64, "{a%.*s}:%.*s", 2 * ADDRESS_KEY_ROUTE, hex, (int)sizeof hex, hex);
}

static void put_keys(
    struct arguments *arguments, const struct shard_caller *caller, uint32_t minute, int32_t month)
{
    for (size_t i = 0; i < caller->n; i++) {
        char name[64];
        caller_name(caller, i, name);
        put_key(arguments, name, 'm', minute);
        put_key(arguments, name, 'q', month);
    }
}

struct draw {
    struct shard_caller caller;
    redis_drawn *drawn;
    void *ctx;
};

static uint32_t count_from(int64_t number)
{
    return number < 0 ? 0 : number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

static void draw_answered(void *ctx, const int64_t *numbers, size_t n)
{
    struct draw *draw = ctx;
    enum limits_verdict verdict = LIMITS_UNAVAILABLE;
    struct shard_use use = {0};
    if (n == 1 + 2 * draw->caller.n) {
        for (size_t i = 0; i < draw->caller.n; i++) {
            use.minute[i] = count_from(numbers[1 + 2 * i]);
            use.month[i] = count_from(numbers[2 + 2 * i]);
        }
        verdict = numbers[0] ? LIMITS_GRANTED : shard_verdict(&draw->caller, &use);
    }
    draw->drawn(draw->ctx, verdict, &use);
    mem_free(draw);
}

bool redis_draws_draw(
    struct redis_draws *draws, const struct shard_caller *caller, const struct window_time *time,
    const struct shard_use *known, redis_drawn *drawn, void *ctx)
{
    struct arguments arguments;
    arguments.n = arguments.number_count = 0;
    put_keys(&arguments, caller, time->minute, time->month);
    size_t key_count = arguments.n;
    for (size_t i = 0; i < caller->n; i++) {
        put_number(&arguments, caller->per_minute[i]);
        put_number(&arguments, caller->per_month[i]);
    }
    for (size_t i = 0; i < caller->n; i++) {
        put_number(&arguments, known->minute[i]);
        put_number(&arguments, known->month[i]);
    }
    for (size_t i = 0; i < caller->n; i++) {
        put_number(&arguments, MINUTE_KEPT_S);
        put_number(&arguments, MONTH_KEPT_S);
    }
    struct draw *draw = MEM_NEW(struct draw);
    *draw = (struct draw){*caller, drawn, ctx};
    bool asked = redis_link_call(
        draws->link, draws->draw, key_count, arguments.words, arguments.n, draw_answered, draw);
    if (!asked)
        mem_free(draw);
    return asked;
}

void redis_draws_refund(
    struct redis_draws *draws, const struct shard_caller *caller, uint32_t minute, int32_t month)
{
    struct arguments arguments;
    arguments.n = arguments.number_count = 0;
    put_keys(&arguments, caller, minute, month);
    (void)redis_link_call(
        draws->link, draws->refund, arguments.n, arguments.words, arguments.n, NULL, NULL);
}

void redis_draws_raise(
    struct redis_draws *draws, const struct shard_caller *caller, uint32_t minute, uint32_t used)
{
    struct arguments arguments;
    char name[64];
    arguments.n = arguments.number_count = 0;
    caller_name(caller, 0, name);
    put_key(&arguments, name, 'm', minute);
    put_number(&arguments, used);
    put_number(&arguments, MINUTE_KEPT_S);
    (void)redis_link_call(draws->link, draws->raise, 1, arguments.words, arguments.n, NULL, NULL);
}
