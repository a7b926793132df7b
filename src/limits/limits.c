/* Draws, counted in this process or in Redis; see limits.h. */
#include "limits/limits.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/thread.h"
#include "limits/redis_draw.h"
#include "limits/shard.h"
#include "store/account/flush.h"
#include "store/account/month_count.h"

/*
 * Month counts to and from the database (decision 26). These functions implement limits_load and
 * limits_flush, which limits.h describes.
 */

/*
 * Month counts to and from the database; see limits.c. A flush copies the unwritten counts out
 * of the shards under their locks and writes them without a lock. It then stores the totals that
 * the database returned, or puts the draws back for the next flush. If the connection was lost
 * during the commit, the next flush asks the database whether the commit succeeded. In the database
 * a key is its number in decimal; an address is `4` or `6` and its 16-byte hash.
 */

struct month_flush;

/* The time of a flush. */
struct month_flush_now {
    int32_t month;       /* by the clock of the windows */
    uint64_t steps_back; /* how often the clock was set back; an increase makes the flush write all
                            counts */
};

enum {
    CALLER_SIZE_MAX = 24,
    ADDRESS_CALLER_SIZE = 1 + ADDRESS_KEY_SIZE,
};

/* One caller's month, copied from its shard. */
struct counted {
    bool of_key;
    bool ipv4;
    int64_t key_no;         /* of_key */
    struct address_key key; /* of an address */
    int32_t month;
    int32_t drawn;
    uint32_t used; /* including `drawn` */
    int64_t total; /* the database's count after the write */
    bool removed;  /* delete the row instead */
    bool stored;   /* the row existed before */
};

struct month_flush {
    struct flush flush;
    const struct shard_set *shards;
    struct counted *counts; /* of the flush that is written */
    size_t n, cap;
    int32_t pruned_month;     /* 0: not yet */
    uint64_t steps_back_seen; /* as of the last flush */
};

static struct counted *count_add(struct month_flush *flush)
{
    flush->counts = mem_grow(flush->counts, flush->n, &flush->cap, sizeof *flush->counts);
    struct counted *count = &flush->counts[flush->n++];
    *count = (struct counted){0};
    return count;
}

/* Moves the unwritten draws out of `use`. Call with the shard's lock. */
static void collect_use(struct month_flush *flush, struct month_use *use)
{
    struct counted *count = count_add(flush);
    count->of_key = use->of_key;
    count->ipv4 = use->ipv4;
    count->month = use->month;
    count->drawn = use->unwritten;
    count->used = use->used;
    if (use->of_key)
        count->key_no = ((const struct key_month *)use)->key_no;
    else
        count->key = ((const struct month_entry *)use)->key;
    count->stored = use->stored;
    use->unwritten = 0;
    use->stored = true;
}

static void collect_removed(struct month_flush *flush, struct month_table *table)
{
    for (size_t i = 0; i < table->removed_n; i++) {
        struct counted *count = count_add(flush);
        count->ipv4 = table->ipv4;
        count->key = table->removed[i].key;
        count->month = table->removed[i].month;
        count->removed = true;
    }
    table->removed_n = 0;
}

/* Lists every count of the shard. After the clock was set back, rows that were pruned by the wrong
 * date must be written again. */
static void list_all(struct shard *shard)
{
    for (size_t i = 0; i <= shard->keys.by_no.mask; i++) {
        struct key_entry *entry = shard->keys.by_no.slots[i].value;
        for (struct key_month *month = entry ? entry->months : NULL; month; month = month->next)
            month_use_list(&month->use, &shard->unwritten);
    }
    struct month_table *tables[] = {&shard->ipv4.months, &shard->ipv6.months};
    for (size_t t = 0; t < 2; t++)
        for (size_t i = 0; i < ((size_t)tables[t]->set_mask + 1) * MONTH_SET; i++)
            if (tables[t]->entries[i].use.stored)
                month_use_list(&tables[t]->entries[i].use, &shard->unwritten);
}

/* Removes rows first: a removed caller may be back already, with a new row. */
static void collect_shard(struct month_flush *flush, struct shard *shard, bool all)
{
    LOCKED(&shard->lock);
    if (all)
        list_all(shard);
    collect_removed(flush, &shard->ipv4.months);
    collect_removed(flush, &shard->ipv6.months);
    for (size_t i = 0; i < shard->unwritten.n; i++) {
        struct month_use *use = shard->unwritten.items[i];
        use->listed = false;
        if (use->unwritten || (all && use->used))
            collect_use(flush, use);
    }
    shard->unwritten.n = 0;
}

static struct str caller_text(const struct counted *count, char text[static CALLER_SIZE_MAX])
{
    if (count->of_key) {
        int n = snprintf(text, CALLER_SIZE_MAX, "%lld", (long long)count->key_no);
        assert(n > 0 && n < CALLER_SIZE_MAX);
        return str_of(text, (size_t)n);
    }
    text[0] = count->ipv4 ? '4' : '6';
    memcpy(text + 1, count->key.bytes, ADDRESS_KEY_SIZE);
    return str_of(text, ADDRESS_CALLER_SIZE);
}

static enum month_count_kind kind_of(const struct counted *count)
{
    return count->of_key ? MONTH_COUNT_KEY : MONTH_COUNT_ADDRESS;
}

/* A total no larger than this draw means that an existing row was gone: adds the rest. This says
 * nothing about a new row: with Redis, `used` includes draws that other servers write themselves.
 */
static enum err add_lost(struct db *db, struct counted *count, struct fail *fail)
{
    char text[CALLER_SIZE_MAX];
    if (!count->stored || count->total > count->drawn || count->total >= (int64_t)count->used)
        return OK;
    return month_count_add(
        db, kind_of(count), caller_text(count, text), count->month,
        (int64_t)count->used - count->total, &count->total, fail);
}

/* One that is no draw, or gives draws back. */
static enum err write_other(struct db *db, struct counted *count, struct fail *fail)
{
    char text[CALLER_SIZE_MAX];
    struct str caller = caller_text(count, text);
    if (count->removed)
        return month_count_remove(db, kind_of(count), caller, count->month, fail);
    TRY(month_count_add(
        db, kind_of(count), caller, count->month, count->drawn, &count->total, fail));
    return add_lost(db, count, fail);
}

static int compare(int64_t x, int64_t y)
{
    return (x > y) - (x < y);
}

/* A row that is removed and counted again is removed first. */
static int by_row(const void *a, const void *b)
{
    const struct counted *x = a, *y = b;
    int order = compare(x->of_key, y->of_key);
    if (!order)
        order = compare(x->ipv4, y->ipv4);
    if (!order)
        order = x->of_key ? compare(x->key_no, y->key_no)
                          : memcmp(x->key.bytes, y->key.bytes, sizeof x->key.bytes);
    if (!order)
        order = compare(x->month, y->month);
    return order ? order : compare(y->removed, x->removed);
}

static bool is_draw(const struct counted *count)
{
    return !count->removed && count->drawn >= 0;
}

static enum err write_draws(struct db *db, struct counted *counts, size_t n, struct fail *fail)
{
    struct month_count_draw draws[MONTH_COUNT_ADD_MAX] = {0};
    char texts[MONTH_COUNT_ADD_MAX][CALLER_SIZE_MAX];
    for (size_t i = 0; i < n; i++)
        draws[i] = (struct month_count_draw){
            .kind = kind_of(&counts[i]),
            .caller = caller_text(&counts[i], texts[i]),
            .month = counts[i].month,
            .delta = counts[i].drawn,
            .ret_used = &counts[i].total,
        };
    TRY(month_count_add_all(db, draws, n, fail));
    for (size_t i = 0; i < n; i++)
        TRY(add_lost(db, &counts[i], fail));
    return OK;
}

/* The number of draws of different rows that these counts begin with. */
static size_t draws_at(const struct counted *counts, size_t n)
{
    size_t draws = 0;
    while (draws < n && draws < MONTH_COUNT_ADD_MAX && is_draw(&counts[draws]) &&
           (draws == 0 || by_row(&counts[draws - 1], &counts[draws]) != 0))
        draws++;
    return draws;
}

/* Writes them in their order, and as many draws at once as follow each other. */
static enum err write_counts(struct db *db, struct counted *counts, size_t n, struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0; i < n && !err;) {
        size_t draws = draws_at(&counts[i], n - i);
        err = draws ? write_draws(db, &counts[i], draws, fail) : write_other(db, &counts[i], fail);
        i += draws ? draws : 1;
    }
    return err;
}

/* The entry that a count was copied from; NULL: it was evicted. */
static struct month_use *use_of(struct shard *shard, const struct counted *count)
{
    if (count->of_key)
        return key_entry_open_month(key_table_open(&shard->keys, count->key_no), count->month);
    struct month_table *table = count->ipv4 ? &shard->ipv4.months : &shard->ipv6.months;
    struct month_entry *entry = month_table_entry(table, &count->key, count->month);
    return entry ? &entry->use : NULL;
}

static void put_back(struct shard *shard, const struct counted *count)
{
    struct month_table *table = count->ipv4 ? &shard->ipv4.months : &shard->ipv6.months;
    if (count->removed) {
        if (table->removed_n < MONTH_REMOVED_MAX)
            table->removed[table->removed_n++] = (struct month_removed){count->key, count->month};
        return;
    }
    struct month_use *use = use_of(shard, count);
    if (use) {
        use->unwritten += count->drawn;
        use->stored = count->stored;
        month_use_list(use, &shard->unwritten);
    }
}

static void take_total(struct shard *shard, const struct counted *count)
{
    struct month_use *use = count->removed ? NULL : use_of(shard, count);
    if (!use)
        return;
    int64_t used = count->total + use->unwritten; /* includes draws since the copy */
    use->used = used < 0 ? 0 : used > UINT32_MAX ? UINT32_MAX : (uint32_t)used;
}

static struct shard *shard_of(const struct shard_set *shards, const struct counted *count)
{
    return shard_of_hash(
        shards, count->of_key ? shard_key_hash(count->key_no) : shard_address_hash(&count->key));
}

static void settle(void *owner, enum err err)
{
    struct month_flush *flush = owner;
    for (size_t i = 0; i < flush->n; i++) {
        const struct counted *count = &flush->counts[i];
        struct shard *shard = shard_of(flush->shards, count);
        pthread_mutex_lock(&shard->lock);
        (err ? put_back : take_total)(shard, count);
        pthread_mutex_unlock(&shard->lock);
    }
    flush->n = 0;
}

/* Rows are written in one order on every server: two that write the same rows wait for each other
 * and never deadlock. */
static enum err write_new(
    void *owner, const void *at, struct db *db, bool *ret_any, struct fail *fail)
{
    struct month_flush *flush = owner;
    const struct month_flush_now *now = at;
    const struct shard_set *set = flush->shards;
    for (uint32_t i = 0; i <= set->mask; i++)
        collect_shard(flush, &set->shards[i], now->steps_back != flush->steps_back_seen);
    *ret_any = flush->n || flush->pruned_month != now->month;
    if (!*ret_any)
        return OK;
    if (flush->n)
        qsort(flush->counts, flush->n, sizeof *flush->counts, by_row);
    if (flush->pruned_month != now->month)
        TRY(month_count_prune(db, now->month, fail));
    TRY(write_counts(db, flush->counts, flush->n, fail));
    if (flush->n)
        TRY(flush_mark(&flush->flush, db, fail));
    flush->pruned_month = now->month;
    flush->steps_back_seen = now->steps_back;
    return OK;
}

/* `shards` holds the counts to write and outlives the flush. */
static struct month_flush *month_flush_create(const struct shard_set *shards)
{
    static const struct flush_kind kind = {.write = write_new, .settle = settle};
    struct month_flush *flush = MEM_NEW(struct month_flush);
    flush->shards = shards;
    flush_init(&flush->flush, &kind, flush);
    return flush;
}

static void month_flush_destroy(struct month_flush *flush)
{
    flush_finish(&flush->flush);
    mem_free(flush->counts);
    mem_free(flush);
}

static enum err month_flush_write(
    struct month_flush *flush, struct db *db, struct month_flush_now now, struct fail *fail)
{
    return flush_run(&flush->flush, &now, db, fail);
}

static void month_flush_done(struct month_flush *flush, enum err err)
{
    flush_done(&flush->flush, err);
}

static enum err month_flush_write_last(
    struct month_flush *flush, struct db *db, struct month_flush_now now, struct fail *fail)
{
    TRY(month_flush_write(flush, db, now, fail));
    return flush_remove_mark(&flush->flush, db, fail);
}

struct month_flush_load {
    const struct shard_set *shards;
    int32_t month;
};

static bool count_of(struct str caller, enum month_count_kind kind, struct counted *ret)
{
    *ret = (struct counted){.of_key = kind == MONTH_COUNT_KEY};
    if (ret->of_key)
        return str_to_i64(caller, &ret->key_no);
    if (caller.n != ADDRESS_CALLER_SIZE || (caller.p[0] != '4' && caller.p[0] != '6'))
        return false;
    ret->ipv4 = caller.p[0] == '4';
    memcpy(ret->key.bytes, caller.p + 1, ADDRESS_KEY_SIZE);
    return true;
}

static void load_count(void *ctx, enum month_count_kind kind, struct str caller, int64_t used)
{
    struct month_flush_load *load = ctx;
    struct counted count;
    bool shared;
    if (!count_of(caller, kind, &count))
        return;
    struct shard *shard = shard_of(load->shards, &count);
    LOCKED(&shard->lock);
    struct shard_family *family = count.ipv4 ? &shard->ipv4 : &shard->ipv6;
    struct month_use *use =
        count.of_key ? key_entry_open_month(key_table_open(&shard->keys, count.key_no), load->month)
                     : month_table_open(&family->months, &count.key, NULL, load->month, &shared);
    if (use) {
        int64_t total = used + use->unwritten;
        if (total > (int64_t)use->used) /* Redis may know of draws that nobody has written yet */
            use->used = total > UINT32_MAX ? UINT32_MAX : (uint32_t)total;
        use->stored = true;
    }
}

/* Loads the counts of this month and of the previous one. */
static enum err month_flush_load(
    struct month_flush *flush, struct db *db, int32_t month, struct fail *fail)
{
    enum err err = OK;
    for (int back = 1; back >= 0 && !err; back--) {
        struct month_flush_load load = {flush->shards, month - back};
        err = month_count_each(db, load.month, load_count, &load, fail);
    }
    return err;
}

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
