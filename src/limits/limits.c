/* Draws, counted in this process or in Redis; see limits.h. */
#include "limits/limits.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"
#include "limits/month_flush.h"
#include "limits/redis_draw.h"
#include "limits/shard.h"

enum {
    MASTER_KEY_SIZE = 32,
    SHARDS = 32,
    MINUTE_ADDRESSES = 8192,
    MINUTE_SHARED = 64,
    MONTH_ADDRESSES = 16384,
    MONTH_SHARED = 64,
    SHARDS_MAX = 1 << 8 * ADDRESS_KEY_ROUTE,
    UNAVAILABLE_RETRY_S = 1, /* Redis reconnects by itself */
    RAISES_MAX = 4000,       /* at once: fewer than the calls that may be in flight */
};

struct limits {
    struct redis_draws *redis; /* NULL: counted in this process */
    bool alone;                /* counts in this process while Redis does not answer */
    uint32_t raise_shards;     /* those whose counts Redis still needs; one thread uses it */
    struct window_clock clock;
    struct address_salts *salts;
    struct shard_set shards;
    struct month_flush *flush;
    _Atomic uint64_t steps_back; /* of the wall clock */
    _Atomic uint64_t losses;     /* of Redis, before the months were loaded last */
};

static uint32_t or_default(uint32_t size, uint32_t standard)
{
    return size ? size : standard;
}

static void shards_create(struct shard_set *set, const struct limits_sizes *asked)
{
    const struct shard_sizes sizes = {
        .minute_addresses = or_default(asked->minute_addresses, MINUTE_ADDRESSES),
        .minute_shared = or_default(asked->minute_shared, MINUTE_SHARED),
        .month_addresses = or_default(asked->month_addresses, MONTH_ADDRESSES),
        .month_shared = or_default(asked->month_shared, MONTH_SHARED),
    };
    uint32_t count = 1;
    while (count < or_default(asked->shards, SHARDS) && count < SHARDS_MAX)
        count *= 2;
    shard_set_init(set, count, &sizes);
}

static enum err redis_connect(
    const struct limits_options *options, struct redis_draws **ret, struct fail *fail)
{
    struct redis_url url;
    if (!options->redis_url.n)
        return OK;
    enum err err = redis_url_parse(options->redis_url, &url, fail);
    if (!err && options->redis_answer_ms)
        url.answer_ms = options->redis_answer_ms;
    if (!err)
        err = redis_draws_create(
            &url, options->redis_ca_file, options->counts ? options->counts : "requests", ret,
            fail);
    mem_wipe(&url, sizeof url);
    return err;
}

enum err limits_check_built(struct str redis_url, struct fail *fail)
{
    return redis_url.n ? redis_draws_check_built(fail) : OK;
}

enum err limits_create(const struct limits_options *options, struct limits **ret, struct fail *fail)
{
    if (options->master_key.n != MASTER_KEY_SIZE)
        return fail_set(
            fail, ERR_INVALID, "the master key has %zu bytes, not %d", options->master_key.n,
            MASTER_KEY_SIZE);
    struct redis_draws *redis = NULL;
    TRY(redis_connect(options, &redis, fail));
    struct limits *limits = MEM_NEW(struct limits);
    limits->redis = redis;
    limits->alone = options->redis_alone;
    window_clock_init(&limits->clock);
    limits->salts = address_salts_create(options->master_key);
    shards_create(&limits->shards, &options->sizes);
    limits->flush = month_flush_create(&limits->shards);
    atomic_init(&limits->steps_back, 0);
    atomic_init(&limits->losses, 0);
    *ret = limits;
    return OK;
}

void limits_destroy(struct limits *limits)
{
    if (!limits)
        return;
    redis_draws_destroy(limits->redis); /* first: its thread uses the other fields */
    month_flush_destroy(limits->flush);
    shard_set_finish(&limits->shards);
    address_salts_destroy(limits->salts);
    window_clock_finish(&limits->clock);
    mem_free(limits);
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
        ret->hash = shard_key_hash(caller->key_no);
    } else {
        address_keys_make(limits->salts, month, &caller->address, &ret->keys);
        ret->n = ret->keys.n;
        ret->hash = shard_address_hash(&ret->keys.levels[0]);
    }
    for (size_t i = 0; i < ret->n; i++) {
        ret->per_minute[i] = times(caller->per_minute, address_level_factor[i]);
        ret->per_month[i] = times(caller->per_month, address_level_factor[i]);
    }
}

/* Remaining draws of a window: the minimum over all `n` levels. */
static uint32_t least_left(const uint32_t *limits, const uint32_t *used, size_t n)
{
    uint32_t least = limits[0];
    for (size_t i = 0; i < n; i++) {
        uint32_t left = used[i] < limits[i] ? limits[i] - used[i] : 0;
        least = left < least ? left : least;
    }
    return least;
}

static uint32_t remaining(const struct shard_caller *caller, const struct shard_use *use)
{
    return least_left(caller->per_minute, use->minute, caller->n);
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
        .used = use->minute[0],
        .remaining = remaining(caller, use),
        .reset_s = window_minute_end_s(time->minute),
        .month_limit = caller->per_month[0],
        .month_used = use->month[0],
        .month_remaining = least_left(caller->per_month, use->month, caller->n),
        .month_reset_s = month_start_ms(time->month + 1) / SECOND_MS,
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
    limits_later *later;
    void *ctx;
    bool looking; /* nothing is drawn */
};

/* Redis did not answer: the draw is counted here, or refused. */
static void draw_alone(
    struct limits *limits, const struct shard_caller *who, const struct window_time *time,
    bool looking, struct limits_answer *ret)
{
    struct shard *shard = shard_of_hash(&limits->shards, who->hash);
    enum limits_verdict verdict = LIMITS_UNAVAILABLE;
    struct shard_use use;
    pthread_mutex_lock(&shard->lock);
    if (!looking)
        shard_count_verdict(shard, LIMITS_UNAVAILABLE);
    if (looking || !limits->alone)
        shard_look(shard, who, time, &use);
    else
        verdict = shard_draw(shard, who, time, &use);
    pthread_mutex_unlock(&shard->lock);
    if (looking && limits->alone)
        verdict = shard_verdict(who, &use);
    answer_make(who, &use, verdict, time, ret);
    ret->alone = true;
}

/* On Redis's thread. */
static void drawn_from_redis(void *ctx, enum limits_verdict verdict, const struct shard_use *use)
{
    struct later_draw *draw = ctx;
    struct shard *shard = shard_of_hash(&draw->limits->shards, draw->who.hash);
    struct limits_answer answer;
    if (verdict == LIMITS_UNAVAILABLE) {
        draw_alone(draw->limits, &draw->who, &draw->time, draw->looking, &answer);
    } else {
        if (draw->looking)
            verdict = shard_verdict(&draw->who, use);
        pthread_mutex_lock(&shard->lock);
        if (!draw->looking)
            shard_count_verdict(shard, verdict);
        shard_mirror(
            shard, &draw->who, &draw->time, use, verdict == LIMITS_GRANTED && !draw->looking);
        pthread_mutex_unlock(&shard->lock);
        answer_make(&draw->who, use, verdict, &draw->time, &answer);
    }
    draw->later(draw->ctx, &answer);
    mem_free(draw);
}

/* `looking`: with limits of 0 the script denies the draw and returns the counts. */
static bool ask_redis(
    struct limits *limits, const struct shard_caller *who, const struct window_time *time,
    bool looking, struct limits_answer *ret, limits_later *later, void *ctx)
{
    struct later_draw *draw = mem_alloc(sizeof *draw);
    struct shard *shard = shard_of_hash(&limits->shards, who->hash);
    struct shard_caller asked = *who;
    struct shard_use known;
    *draw = (struct later_draw){limits, *who, *time, later, ctx, looking};
    for (size_t i = 0; looking && i < asked.n; i++)
        asked.per_minute[i] = asked.per_month[i] = 0;
    pthread_mutex_lock(&shard->lock);
    shard_look(shard, who, time, &known);
    pthread_mutex_unlock(&shard->lock);
    if (redis_draws_draw(limits->redis, &asked, time, &known, drawn_from_redis, draw))
        return false;
    mem_free(draw);
    draw_alone(limits, who, time, looking, ret);
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
        return ask_redis(limits, &who, &time, false, ret, later, ctx);
    struct shard *shard = shard_of_hash(&limits->shards, who.hash);
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
    struct shard *shard = shard_of_hash(&limits->shards, who.hash);
    pthread_mutex_lock(&shard->lock);
    shard_look(shard, &who, &time, &use);
    pthread_mutex_unlock(&shard->lock);
    answer_make(&who, &use, shard_verdict(&who, &use), &time, ret);
}

bool limits_look(
    struct limits *limits, const struct limits_caller *caller, int64_t now_ms,
    struct limits_answer *ret, limits_later *later, void *ctx)
{
    struct window_time time = window_clock_peek(&limits->clock, now_ms);
    struct shard_caller who;
    if (!limits->redis) {
        limits_peek(limits, caller, now_ms, ret);
        return true;
    }
    caller_make(limits, caller, time.month, &who);
    return ask_redis(limits, &who, &time, true, ret, later, ctx);
}

void limits_refund(
    struct limits *limits, const struct limits_caller *caller, struct limits_answer *answer)
{
    struct shard_caller who;
    if (answer->verdict != LIMITS_GRANTED)
        return;
    caller_make(limits, caller, answer->month, &who);
    struct shard *shard = shard_of_hash(&limits->shards, who.hash);
    pthread_mutex_lock(&shard->lock);
    shard_refund(shard, &who, answer->minute, answer->month);
    pthread_mutex_unlock(&shard->lock);
    if (limits->redis && !answer->alone)
        redis_draws_refund(limits->redis, &who, answer->minute, answer->month);
    answer->remaining += answer->remaining < answer->limit;
    answer->month_remaining += answer->month_remaining < answer->month_limit;
    answer->used -= answer->used > 0;
    answer->month_used -= answer->month_used > 0;
}

struct limits_usage limits_key_usage(struct limits *limits, int64_t key_no, int64_t now_ms)
{
    struct window_time time = window_clock_peek(&limits->clock, now_ms);
    struct shard_caller who = {.keyed = true, .key_no = key_no, .n = 1};
    struct shard *shard = shard_of_hash(&limits->shards, shard_key_hash(key_no));
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
    for (uint32_t i = 0; i <= limits->shards.mask; i++) {
        struct shard *shard = &limits->shards.shards[i];
        pthread_mutex_lock(&shard->lock);
        stats.granted += shard->counts.granted;
        stats.denied_minute += shard->counts.denied_minute;
        stats.denied_month += shard->counts.denied_month;
        stats.unavailable += shard->counts.unavailable;
        stats.refunded += shard->counts.refunded;
        stats.shared_minute += shard->counts.shared_minute;
        stats.shared_month += shard->counts.shared_month;
        stats.keys += shard->keys.by_no.used;
        stats.unwritten += shard->unwritten.n;
        family_stats(&shard->ipv4, minute, &stats);
        family_stats(&shard->ipv6, minute, &stats);
        pthread_mutex_unlock(&shard->lock);
    }
    if (limits->redis) {
        stats.redis_used = true;
        stats.redis_losses = redis_draws_losses(limits->redis);
        stats.redis_ready = redis_draws_ready(limits->redis);
    }
    *ret = stats;
}

/* Month counts */

static struct month_flush_now flush_now(struct limits *limits, int64_t now_ms)
{
    return (struct month_flush_now){
        .month = window_clock_peek(&limits->clock, now_ms).month,
        .steps_back = atomic_load(&limits->steps_back),
    };
}

/* Counts of one shard on their way to Redis. */
struct raising {
    struct redis_draws *redis;
    uint32_t minute;
    size_t count;
};

static void raise_one(void *ctx, const struct shard_caller *caller, uint32_t used)
{
    struct raising *raising = ctx;
    redis_draws_raise(raising->redis, caller, raising->minute, used);
    raising->count++;
}

static void raise_some(struct limits *limits, int64_t now_ms)
{
    struct raising raising = {limits->redis, window_clock_peek(&limits->clock, now_ms).minute, 0};
    while (limits->raise_shards && raising.count < RAISES_MAX) {
        struct shard *shard = &limits->shards.shards[--limits->raise_shards];
        pthread_mutex_lock(&shard->lock);
        shard_each(shard, raising.minute, raise_one, &raising);
        pthread_mutex_unlock(&shard->lock);
    }
}

bool limits_should_load(struct limits *limits, int64_t now_ms)
{
    if (!limits->redis || !redis_draws_ready(limits->redis))
        return false;
    uint64_t losses = redis_draws_losses(limits->redis);
    bool lost = atomic_exchange(&limits->losses, losses) != losses;
    if (lost)
        limits->raise_shards = limits->shards.mask + 1;
    raise_some(limits, now_ms);
    return lost;
}

enum err limits_load(struct limits *limits, struct db *db, int64_t now_ms, struct fail *fail)
{
    return month_flush_load(limits->flush, db, instant_month_utc(now_ms), fail);
}

enum err limits_flush(struct limits *limits, struct db *db, int64_t now_ms, struct fail *fail)
{
    return month_flush_write(limits->flush, db, flush_now(limits, now_ms), fail);
}

enum err limits_flush_last(struct limits *limits, struct db *db, int64_t now_ms, struct fail *fail)
{
    return month_flush_write_last(limits->flush, db, flush_now(limits, now_ms), fail);
}

void limits_flush_done(struct limits *limits, enum err err)
{
    month_flush_done(limits->flush, err);
}

void limits_redis(struct limits *limits, struct limits_redis *ret)
{
    static_assert(sizeof ret->version == REDIS_VERSION_SIZE, "one size");
    *ret = (struct limits_redis){.used = limits->redis};
    if (!limits->redis)
        return;
    ret->ready = redis_draws_ready(limits->redis);
    if (!redis_draws_version(limits->redis, ret->version))
        ret->version[0] = '\0';
}
