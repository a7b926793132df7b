/*
 * Month counts to and from the database; see month_flush.h. A flush copies the unwritten counts out
 * of the shards under their locks and writes them without a lock. It then stores the totals that
 * the database returned, or puts the draws back for the next flush. If the connection was lost
 * during the commit, the next flush asks the database whether the commit succeeded.
 *
 * In the database a key is its number in decimal; an address is `4` or `6` and its 16-byte hash.
 */
#include "limits/month_flush.h"

#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "store/account/flush.h"
#include "store/account/month_count.h"

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
    pthread_mutex_lock(&shard->lock);
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
    pthread_mutex_unlock(&shard->lock);
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

struct month_flush *month_flush_create(const struct shard_set *shards)
{
    static const struct flush_kind kind = {.write = write_new, .settle = settle};
    struct month_flush *flush = MEM_NEW(struct month_flush);
    flush->shards = shards;
    flush_init(&flush->flush, &kind, flush);
    return flush;
}

void month_flush_destroy(struct month_flush *flush)
{
    flush_finish(&flush->flush);
    mem_free(flush->counts);
    mem_free(flush);
}

enum err month_flush_write(
    struct month_flush *flush, struct db *db, struct month_flush_now now, struct fail *fail)
{
    return flush_run(&flush->flush, &now, db, fail);
}

void month_flush_done(struct month_flush *flush, enum err err)
{
    flush_done(&flush->flush, err);
}

enum err month_flush_write_last(
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
    pthread_mutex_lock(&shard->lock);
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
    pthread_mutex_unlock(&shard->lock);
}

enum err month_flush_load(
    struct month_flush *flush, struct db *db, int32_t month, struct fail *fail)
{
    enum err err = OK;
    for (int back = 1; back >= 0 && !err; back--) {
        struct month_flush_load load = {flush->shards, month - back};
        err = month_count_each(db, load.month, load_count, &load, fail);
    }
    return err;
}
