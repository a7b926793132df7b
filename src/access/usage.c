/*
 * Counts and errors of keys; see usage.h. A response pushes its key on the stack `dirty`, unless it
 * is there already. A flush takes the stack, moves counts and errors out of each key, and keeps
 * them in `days` and `errors` until it knows the result of its transaction.
 */
#include "access/usage.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/thread.h"
#include "store/account/flush.h"
#include "store/account/key_usage.h"

enum { ASKED_NEVER = -1 };

struct day_slot {
    _Atomic int32_t day;
    _Atomic uint32_t n[USAGE_KINDS];
};

/* Counts of a day whose slot went to another day before they were written. */
struct old_day {
    struct old_day *next;
    int32_t day;
    struct usage_counts counts;
};

struct error_ring {
    size_t first, n;
    struct usage_error at[USAGE_ERRORS_KEPT];
};

struct key_usage {
    int64_t key_no;
    struct key_usage *next; /* in `dirty` */
    _Atomic bool dirty;
    _Atomic int64_t asked_s;
    /* Even and odd days, so that requests from before and after midnight have separate counts. */
    struct day_slot slots[2];
    pthread_mutex_t lock; /* guards the members below, and changes of a slot's day */
    struct old_day *old;
    struct error_ring *errors; /* NULL: no error since the last flush */
};

/* Taken out of a key by a flush. */
struct taken_day {
    struct key_usage *key;
    int32_t day;
    struct usage_counts counts;
};

struct taken_error {
    struct key_usage *key;
    struct usage_error error;
};

struct usage {
    _Atomic(struct key_usage *) dirty;
    struct flush flush;      /* its lock guards the members below */
    struct key_usage **keys; /* while they are taken */
    size_t key_cap;
    struct taken_day *days;
    size_t day_count, day_cap;
    struct taken_error *errors; /* those of one key are together, oldest first */
    size_t error_count, error_cap;
    int32_t pruned_day;
};

struct key_usage *key_usage_create(int64_t key_no)
{
    struct key_usage *key = MEM_NEW(struct key_usage);
    key->key_no = key_no;
    atomic_init(&key->asked_s, ASKED_NEVER);
    for (int i = 0; i < 2; i++)
        atomic_init(&key->slots[i].day, DAY_NONE);
    pthread_mutex_init(&key->lock, NULL);
    return key;
}

static void old_days_free(struct old_day *old)
{
    for (struct old_day *next; old; old = next) {
        next = old->next;
        mem_free(old);
    }
}

void key_usage_destroy(struct key_usage *key)
{
    if (!key)
        return;
    old_days_free(key->old);
    mem_free(key->errors);
    pthread_mutex_destroy(&key->lock);
    mem_free(key);
}

/* --- counting */

static bool any(const struct usage_counts *counts)
{
    int64_t sum = 0;
    for (int kind = 0; kind < USAGE_KINDS; kind++)
        sum += counts->n[kind];
    return sum > 0;
}

static struct usage_counts slot_take(struct day_slot *slot)
{
    struct usage_counts counts;
    for (int kind = 0; kind < USAGE_KINDS; kind++)
        counts.n[kind] = atomic_exchange(&slot->n[kind], 0);
    return counts;
}

/* Call with the key's lock. */
static void old_day_add(struct key_usage *key, int32_t day, const struct usage_counts *counts)
{
    struct old_day *old = key->old;
    while (old && old->day != day)
        old = old->next;
    if (!old) {
        old = MEM_NEW(struct old_day);
        old->day = day;
        old->next = key->old;
        key->old = old;
    }
    for (int kind = 0; kind < USAGE_KINDS; kind++)
        old->counts.n[kind] += counts->n[kind];
}

/* Gives the slot to `day`. A response of the slot's previous day that comes at this moment may be
 * counted for `day`: it would have to take two days. */
static void slot_open(struct key_usage *key, struct day_slot *slot, int32_t day)
{
    LOCKED(&key->lock);
    if (atomic_load(&slot->day) != day) {
        struct usage_counts counts = slot_take(slot);
        if (any(&counts))
            old_day_add(key, atomic_load(&slot->day), &counts);
        atomic_store(&slot->day, day);
    }
}

static struct day_slot *slot_of(struct key_usage *key, int32_t day)
{
    return &key->slots[day & 1];
}

/* Call with the key's lock. */
static void error_push(struct key_usage *key, const struct usage_error *error)
{
    if (!key->errors)
        key->errors = MEM_NEW(struct error_ring);
    struct error_ring *ring = key->errors;
    struct usage_error *last = &ring->at[(ring->first + ring->n - 1) % USAGE_ERRORS_KEPT];
    if (ring->n && usage_error_joins(last, error)) {
        last->count += error->count;
        last->at = last->at < error->at ? error->at : last->at;
        return;
    }
    if (ring->n == USAGE_ERRORS_KEPT)
        ring->first = (ring->first + 1) % USAGE_ERRORS_KEPT;
    else
        ring->n++;
    ring->at[(ring->first + ring->n - 1) % USAGE_ERRORS_KEPT] = *error;
}

/* A flush clears `dirty` before it takes: a response that finds it set is taken by that flush, or
 * pushes the key again. Both sides are sequentially consistent for that reason. */
static void mark_dirty(struct usage *usage, struct key_usage *key)
{
    if (atomic_load(&key->dirty) || atomic_exchange(&key->dirty, true))
        return;
    key->next = atomic_load(&usage->dirty);
    while (!atomic_compare_exchange_weak(&usage->dirty, &key->next, key))
        ;
}

void usage_note(
    struct usage *usage, struct key_usage *key, int64_t now_ms, int status, const char *error,
    const char *path)
{
    int32_t day = instant_day_utc(now_ms);
    struct day_slot *slot = slot_of(key, day);
    if (error) {
        const struct usage_error entry = {
            .at = now_ms,
            .status = status,
            .error = str_from(error),
            .path = path ? str_from(path) : STR_NULL,
            .count = 1,
        };
        pthread_mutex_lock(&key->lock);
        error_push(key, &entry);
        pthread_mutex_unlock(&key->lock);
    }
    if (atomic_load_explicit(&slot->day, memory_order_relaxed) != day)
        slot_open(key, slot, day);
    atomic_fetch_add(&slot->n[usage_kind_of(status)], 1);
    mark_dirty(usage, key);
}

bool key_usage_may_ask(struct key_usage *key, int64_t now_ms)
{
    int64_t second = now_ms / SECOND_MS;
    return atomic_exchange(&key->asked_s, second) != second;
}

/* --- flushing; call with the lock of `usage` */

static void take_day(
    struct usage *usage, struct key_usage *key, int32_t day, const struct usage_counts *counts)
{
    if (!any(counts))
        return;
    usage->days = mem_grow(usage->days, usage->day_count, &usage->day_cap, sizeof *usage->days);
    usage->days[usage->day_count++] = (struct taken_day){key, day, *counts};
}

static void take_errors(struct usage *usage, struct key_usage *key)
{
    const struct error_ring *ring = key->errors;
    for (size_t i = 0; i < ring->n; i++) {
        usage->errors =
            mem_grow(usage->errors, usage->error_count, &usage->error_cap, sizeof *usage->errors);
        usage->errors[usage->error_count++] =
            (struct taken_error){key, ring->at[(ring->first + i) % USAGE_ERRORS_KEPT]};
    }
    mem_free(key->errors);
    key->errors = NULL;
}

static void take_key(struct usage *usage, struct key_usage *key)
{
    atomic_store(&key->dirty, false);
    LOCKED(&key->lock);
    for (struct old_day *old = key->old; old; old = old->next)
        take_day(usage, key, old->day, &old->counts);
    old_days_free(key->old);
    key->old = NULL;
    for (int i = 0; i < 2; i++) {
        struct usage_counts counts = slot_take(&key->slots[i]);
        take_day(usage, key, atomic_load(&key->slots[i].day), &counts);
    }
    if (key->errors)
        take_errors(usage, key);
}

static int by_number(const void *a, const void *b)
{
    int64_t x = (*(struct key_usage *const *)a)->key_no,
            y = (*(struct key_usage *const *)b)->key_no;
    return (x > y) - (x < y);
}

/* In the order of numbers: servers that write the same rows at the same time then wait for each
 * other, instead of locking each other out. */
static void take(struct usage *usage)
{
    size_t n = 0;
    for (struct key_usage *key = atomic_exchange(&usage->dirty, NULL); key; key = key->next) {
        usage->keys = mem_grow(usage->keys, n, &usage->key_cap, sizeof *usage->keys);
        usage->keys[n++] = key;
    }
    if (n)
        qsort(usage->keys, n, sizeof *usage->keys, by_number);
    for (size_t i = 0; i < n; i++)
        take_key(usage, usage->keys[i]); /* from here on it may be pushed again */
}

static size_t errors_of_one_key(const struct usage *usage, size_t first)
{
    size_t n = 1;
    while (first + n < usage->error_count &&
           usage->errors[first + n].key == usage->errors[first].key)
        n++;
    return n;
}

/* Errors that came since are newer than those of the flush. */
static void put_back_errors(struct key_usage *key, const struct taken_error *taken, size_t n)
{
    struct error_ring *newer = key->errors;
    key->errors = NULL;
    for (size_t i = 0; i < n; i++)
        error_push(key, &taken[i].error);
    for (size_t i = 0; newer && i < newer->n; i++)
        error_push(key, &newer->at[(newer->first + i) % USAGE_ERRORS_KEPT]);
    mem_free(newer);
}

static void put_back(struct usage *usage)
{
    for (size_t i = 0; i < usage->day_count; i++) {
        struct taken_day *taken = &usage->days[i];
        pthread_mutex_lock(&taken->key->lock);
        old_day_add(taken->key, taken->day, &taken->counts);
        pthread_mutex_unlock(&taken->key->lock);
        mark_dirty(usage, taken->key);
    }
    for (size_t i = 0, n; i < usage->error_count; i += n) {
        struct key_usage *key = usage->errors[i].key;
        n = errors_of_one_key(usage, i);
        pthread_mutex_lock(&key->lock);
        put_back_errors(key, &usage->errors[i], n);
        pthread_mutex_unlock(&key->lock);
        mark_dirty(usage, key);
    }
}

static void settle(void *owner, enum err err)
{
    struct usage *usage = owner;
    if (err)
        put_back(usage);
    usage->day_count = usage->error_count = 0;
}

static enum err write_errors(struct usage *usage, struct db *db, struct fail *fail)
{
    enum err err = OK;
    for (size_t i = 0, n; i < usage->error_count && !err; i += n) {
        struct usage_error errors[USAGE_ERRORS_KEPT];
        n = errors_of_one_key(usage, i);
        for (size_t k = 0; k < n; k++)
            errors[k] = usage->errors[i + k].error;
        err = key_errors_add(db, usage->errors[i].key->key_no, errors, n, fail);
    }
    return err;
}

static bool is_idle(const void *owner, const void *now)
{
    const struct usage *usage = owner;
    return !atomic_load(&usage->dirty) && usage->pruned_day == *(const int32_t *)now;
}

static enum err write_new(
    void *owner, const void *now, struct db *db, bool *ret_any, struct fail *fail)
{
    struct usage *usage = owner;
    int32_t first_day = *(const int32_t *)now;
    take(usage);
    if (usage->pruned_day != first_day)
        TRY(key_day_prune(db, first_day, fail));
    for (size_t i = 0; i < usage->day_count; i++) {
        const struct taken_day *taken = &usage->days[i];
        TRY(key_day_add(db, taken->key->key_no, taken->day, &taken->counts, fail));
    }
    TRY(write_errors(usage, db, fail));
    if (usage->day_count)
        TRY(flush_mark(&usage->flush, db, fail));
    usage->pruned_day = first_day;
    return OK;
}

struct usage *usage_create(void)
{
    static const struct flush_kind kind = {is_idle, write_new, settle};
    struct usage *usage = MEM_NEW(struct usage);
    flush_init(&usage->flush, &kind, usage);
    usage->pruned_day = DAY_NONE;
    return usage;
}

void usage_destroy(struct usage *usage)
{
    if (!usage)
        return;
    mem_free(usage->keys);
    mem_free(usage->days);
    mem_free(usage->errors);
    flush_finish(&usage->flush);
    mem_free(usage);
}

enum err usage_flush(struct usage *usage, struct db *db, int64_t now_ms, struct fail *fail)
{
    int32_t first_day = usage_first_kept_day(now_ms);
    return flush_run(&usage->flush, &first_day, db, fail);
}

enum err usage_flush_last(struct usage *usage, struct db *db, int64_t now_ms, struct fail *fail)
{
    TRY(usage_flush(usage, db, now_ms, fail));
    return flush_remove_mark(&usage->flush, db, fail);
}

void usage_flush_done(struct usage *usage, enum err err)
{
    flush_done(&usage->flush, err);
}
