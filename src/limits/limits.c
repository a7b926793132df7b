/* Draws, and everything about them that needs no database; see limits.h. */
#include "limits/limits.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "limits/month_flush.h"
#include "limits/limits_parts.h"
#include "limits/redis_draw.h"

enum {
    MASTER_KEY_SIZE = 32,
    SHARDS = 32,
    MINUTE_ADDRESSES = 8192,
    MINUTE_SHARED = 64,
    MONTH_ADDRESSES = 16384,
    MONTH_SHARED = 64,
    SHARDS_MAX = 1 << 8 * ADDRESS_KEY_ROUTE,
    UNAVAILABLE_RETRY_S = 1, /* Redis comes back by itself */
};

static uint32_t or_default(uint32_t size, uint32_t standard)
{
    return size ? size : standard;
}

static void shards_create(struct limits *limits, const struct limits_sizes *asked)
{
    struct limits_sizes sizes = {
        .minute_addresses = or_default(asked->minute_addresses, MINUTE_ADDRESSES),
        .minute_shared = or_default(asked->minute_shared, MINUTE_SHARED),
        .month_addresses = or_default(asked->month_addresses, MONTH_ADDRESSES),
        .month_shared = or_default(asked->month_shared, MONTH_SHARED),
    };
    uint32_t shards = 1;
    while (shards < or_default(asked->shards, SHARDS) && shards < SHARDS_MAX)
        shards *= 2;
    limits->shards_memory = mem_zalloc(shards * sizeof(struct shard) + SHARD_ALIGN);
    uintptr_t start = (uintptr_t)limits->shards_memory;
    limits->shards = (struct shard *)((start + SHARD_ALIGN - 1) & ~(uintptr_t)(SHARD_ALIGN - 1));
    limits->shard_mask = shards - 1;
    for (uint32_t i = 0; i < shards; i++)
        shard_init(&limits->shards[i], &sizes);
}

static enum err redis_connect(struct str text, struct redis_draws **ret, struct fail *fail)
{
    struct redis_url url;
    if (!text.n)
        return OK;
    enum err err = redis_url_parse(text, &url, fail);
    if (!err && !(*ret = redis_draws_create(&url)))
        err = fail_set(fail, ERR_IO, "no descriptor or no thread for Redis can be had");
    mem_wipe(&url, sizeof url);
    return err;
}

enum err limits_create(const struct limits_options *options, struct limits **ret, struct fail *fail)
{
    if (options->master_key.n != MASTER_KEY_SIZE)
        return fail_set(fail, ERR_INVALID, "the master key has not %d bytes", MASTER_KEY_SIZE);
    struct redis_draws *redis = NULL;
    enum err err = redis_connect(options->redis_url, &redis, fail);
    if (err)
        return err;
    struct limits *limits = MEM_NEW(struct limits);
    limits->redis = redis;
    window_clock_init(&limits->clock);
    limits->salts = address_salts_create(options->master_key);
    shards_create(limits, &options->sizes);
    limits->flush = month_flush_create();
    atomic_init(&limits->steps_back, 0);
    *ret = limits;
    return OK;
}

void limits_destroy(struct limits *limits)
{
    if (!limits)
        return;
    redis_draws_destroy(limits->redis); /* first: its thread uses the rest */
    for (uint32_t i = 0; i <= limits->shard_mask; i++)
        shard_finish(&limits->shards[i]);
    mem_free(limits->shards_memory);
    month_flush_destroy(limits->flush);
    address_salts_destroy(limits->salts);
    window_clock_finish(&limits->clock);
    mem_free(limits);
}

uint32_t limits_key_hash(int64_t key_no)
{
    return (uint32_t)(key_hash(key_no) >> 32);
}

uint32_t limits_address_hash(const struct address_key *key)
{
    return (uint32_t)key->bytes[0] | (uint32_t)key->bytes[1] << 8;
}

static uint32_t times(uint32_t limit, uint32_t factor)
{
    return limit > UINT32_MAX / factor ? UINT32_MAX : limit * factor;
}

static void caller_make(
    struct limits *limits, const struct limits_caller *caller, int32_t month,
    struct shard_caller *ret)
{
    ret->keyed = caller->keyed;
    ret->n = 1;
    if (caller->keyed) {
        ret->key_no = caller->key_no;
        ret->hash = limits_key_hash(caller->key_no);
    } else {
        address_keys_make(limits->salts, month, &caller->address, &ret->keys);
        ret->n = ret->keys.n;
        ret->hash = limits_address_hash(&ret->keys.levels[0]);
    }
    for (size_t i = 0; i < ret->n; i++) {
        ret->per_minute[i] = times(caller->per_minute, address_level_factor[i]);
        ret->per_month[i] = times(caller->per_month, address_level_factor[i]);
    }
}

/* What is left of the minute: the least of all levels. */
static uint32_t remaining(const struct shard_caller *caller, const struct shard_use *use)
{
    uint32_t least = caller->per_minute[0];
    for (size_t i = 0; i < caller->n; i++) {
        uint32_t limit = caller->per_minute[i], used = use->minute[i];
        uint32_t left = used < limit ? limit - used : 0;
        least = left < least ? left : least;
    }
    return least;
}

static int64_t retry_after_s(
    const struct shard_caller *caller, const struct shard_use *use, enum limits_verdict verdict,
    const struct window_time *time)
{
    if (verdict == LIMITS_GRANTED)
        return 0;
    if (verdict == LIMITS_UNAVAILABLE)
        return UNAVAILABLE_RETRY_S;
    int64_t minute = window_minute_wait_s(time), month = window_month_wait_s(time);
    if (verdict == LIMITS_DENIED_MINUTE)
        return minute;
    return month < minute && !remaining(caller, use) ? minute : month;
}

static void answer_make(
    const struct shard_caller *caller, const struct shard_use *use, enum limits_verdict verdict,
    const struct window_time *time, struct limits_answer *ret)
{
    *ret = (struct limits_answer){
        .verdict = verdict,
        .limit = caller->per_minute[0],
        .remaining = remaining(caller, use),
        .reset_s = window_minute_end_s(time->minute),
        .retry_after_s = retry_after_s(caller, use, verdict, time),
        .clock_back_ms = time->back_ms,
        .minute = time->minute,
        .month = time->month,
    };
}

/* With Redis */

struct later_draw {
    struct limits *limits;
    struct shard_caller who;
    struct window_time time;
    struct shard_use known;
    limits_later *later;
    void *ctx;
};

/* On Redis's thread. */
static void drawn_from_redis(void *ctx, enum limits_verdict verdict, const struct shard_use *use)
{
    struct later_draw *draw = ctx;
    struct shard *shard = limits_shard(draw->limits, draw->who.hash);
    bool answered = verdict != LIMITS_UNAVAILABLE;
    struct limits_answer answer;
    pthread_mutex_lock(&shard->lock);
    shard_count_verdict(shard, verdict);
    if (answered)
        shard_mirror(shard, &draw->who, &draw->time, use, verdict == LIMITS_GRANTED);
    pthread_mutex_unlock(&shard->lock);
    answer_make(&draw->who, answered ? use : &draw->known, verdict, &draw->time, &answer);
    draw->later(draw->ctx, &answer);
    mem_free(draw);
}

static bool draw_from_redis(
    struct limits *limits, const struct shard_caller *who, const struct window_time *time,
    struct limits_answer *ret, limits_later *later, void *ctx)
{
    struct later_draw *draw = mem_alloc(sizeof *draw);
    struct shard *shard = limits_shard(limits, who->hash);
    *draw = (struct later_draw){limits, *who, *time, {{0}}, later, ctx};
    pthread_mutex_lock(&shard->lock);
    shard_look(shard, who, time, &draw->known);
    pthread_mutex_unlock(&shard->lock);
    struct shard_use known = draw->known;
    if (redis_draws_draw(limits->redis, who, time, &known, drawn_from_redis, draw))
        return false;
    mem_free(draw);
    pthread_mutex_lock(&shard->lock);
    shard_count_verdict(shard, LIMITS_UNAVAILABLE);
    pthread_mutex_unlock(&shard->lock);
    answer_make(who, &known, LIMITS_UNAVAILABLE, time, ret);
    return true;
}

bool limits_draw(
    struct limits *limits, const struct limits_caller *caller, int64_t now_ms,
    struct limits_answer *ret, limits_later *later, void *ctx)
{
    struct window_time time = window_clock_read(&limits->clock, now_ms);
    struct shard_caller who;
    struct shard_use use;
    if (time.back_ms)
        atomic_fetch_add_explicit(&limits->steps_back, 1, memory_order_relaxed);
    caller_make(limits, caller, time.month, &who);
    if (limits->redis)
        return draw_from_redis(limits, &who, &time, ret, later, ctx);
    struct shard *shard = limits_shard(limits, who.hash);
    pthread_mutex_lock(&shard->lock);
    enum limits_verdict verdict = shard_draw(shard, &who, &time, &use);
    pthread_mutex_unlock(&shard->lock);
    answer_make(&who, &use, verdict, &time, ret);
    return true;
}

void limits_peek(
    struct limits *limits, const struct limits_caller *caller, int64_t now_ms,
    struct limits_answer *ret)
{
    struct window_time time = window_clock_peek(&limits->clock, now_ms);
    struct shard_caller who;
    struct shard_use use;
    caller_make(limits, caller, time.month, &who);
    struct shard *shard = limits_shard(limits, who.hash);
    pthread_mutex_lock(&shard->lock);
    shard_look(shard, &who, &time, &use);
    pthread_mutex_unlock(&shard->lock);
    answer_make(&who, &use, shard_verdict(&who, &use), &time, ret);
}

void limits_refund(
    struct limits *limits, const struct limits_caller *caller, struct limits_answer *answer)
{
    struct shard_caller who;
    if (answer->verdict != LIMITS_GRANTED)
        return;
    caller_make(limits, caller, answer->month, &who);
    struct shard *shard = limits_shard(limits, who.hash);
    pthread_mutex_lock(&shard->lock);
    shard_refund(shard, &who, answer->minute, answer->month);
    pthread_mutex_unlock(&shard->lock);
    if (limits->redis)
        redis_draws_refund(limits->redis, &who, answer->minute, answer->month);
    if (answer->remaining < answer->limit)
        answer->remaining++;
}

struct limits_usage limits_key_usage(struct limits *limits, int64_t key_no, int64_t now_ms)
{
    struct window_time time = window_clock_peek(&limits->clock, now_ms);
    struct shard_caller who = {.keyed = true, .key_no = key_no, .n = 1};
    struct shard *shard = limits_shard(limits, limits_key_hash(key_no));
    struct shard_use use;
    pthread_mutex_lock(&shard->lock);
    shard_look(shard, &who, &time, &use);
    pthread_mutex_unlock(&shard->lock);
    return (struct limits_usage){use.minute[0], use.month[0]};
}

static void family_stats(
    const struct shard_family *family, uint32_t minute, struct limits_stats *stats)
{
    stats->minute_addresses += minute_table_count(&family->minutes, minute);
    stats->month_addresses += family->months.count;
    stats->forgotten += family->months.forgotten;
    stats->forgotten_draws += family->months.forgotten_draws;
}

void limits_stats(struct limits *limits, struct limits_stats *ret)
{
    struct limits_stats stats = {.clock_steps_back = atomic_load(&limits->steps_back)};
    uint32_t minute = window_minute(atomic_load(&limits->clock.high_ms));
    for (uint32_t i = 0; i <= limits->shard_mask; i++) {
        struct shard *shard = &limits->shards[i];
        pthread_mutex_lock(&shard->lock);
        stats.granted += shard->counts.granted;
        stats.denied_minute += shard->counts.denied_minute;
        stats.denied_month += shard->counts.denied_month;
        stats.unavailable += shard->counts.unavailable;
        stats.refunded += shard->counts.refunded;
        stats.shared_minute += shard->counts.shared_minute;
        stats.shared_month += shard->counts.shared_month;
        stats.keys += shard->keys.count;
        stats.unwritten += shard->unwritten.n;
        family_stats(&shard->ipv4, minute, &stats);
        family_stats(&shard->ipv6, minute, &stats);
        pthread_mutex_unlock(&shard->lock);
    }
    if (limits->redis) {
        stats.redis_losses = redis_draws_losses(limits->redis);
        stats.redis_ready = redis_draws_ready(limits->redis);
    }
    *ret = stats;
}
