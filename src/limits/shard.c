/* Draws inside a shard; see shard.h. */
#include "limits/shard.h"

#include <assert.h>

#include "base/mem.h"

/* Minute windows and months of keyed callers. */

static void key_table_init(struct key_table *table)
{
    intmap_init(&table->by_no);
}

static void entry_destroy(struct key_entry *entry)
{
    for (struct key_month *month = entry->months, *next; month; month = next) {
        next = month->next;
        mem_free(month);
    }
    mem_free(entry);
}

static void key_table_finish(struct key_table *table)
{
    for (size_t i = 0; i <= table->by_no.mask; i++)
        if (table->by_no.slots[i].value)
            entry_destroy(table->by_no.slots[i].value);
    intmap_finish(&table->by_no);
}

/* Key numbers are consecutive; the multiplication spreads them (splitmix64). */
uint64_t key_hash(int64_t key_no)
{
    uint64_t h = (uint64_t)key_no + 0x9e3779b97f4a7c15;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9;
    h = (h ^ h >> 27) * 0x94d049bb133111eb;
    return h ^ h >> 31;
}

/* or NULL */
static struct key_entry *key_table_find(const struct key_table *table, int64_t key_no)
{
    return intmap_get(&table->by_no, (uint64_t)key_no);
}

struct key_entry *key_table_open(struct key_table *table, int64_t key_no)
{
    struct key_entry *entry = key_table_find(table, key_no);
    if (entry)
        return entry;
    entry = MEM_NEW(struct key_entry);
    entry->key_no = key_no;
    intmap_put(&table->by_no, (uint64_t)key_no, entry);
    return entry;
}

/* or NULL */
static struct month_use *key_entry_month(const struct key_entry *entry, int32_t month)
{
    struct key_month *found = entry->months;
    while (found && found->use.month != month)
        found = found->next;
    return found ? &found->use : NULL;
}

struct month_use *key_entry_open_month(struct key_entry *entry, int32_t month)
{
    struct month_use *use = key_entry_month(entry, month);
    if (use)
        return use;
    struct key_month *made = MEM_NEW(struct key_month);
    made->use.month = month;
    made->use.of_key = true;
    made->key_no = entry->key_no;
    made->next = entry->months;
    entry->months = made;
    return &made->use;
}

static void shard_init(struct shard *shard, const struct shard_sizes *sizes)
{
    *shard = (struct shard){0};
    pthread_mutex_init(&shard->lock, NULL);
    key_table_init(&shard->keys);
    struct shard_family *families[] = {&shard->ipv4, &shard->ipv6};
    for (size_t i = 0; i < 2; i++) {
        minute_table_init(&families[i]->minutes, sizes->minute_addresses, sizes->minute_shared);
        month_table_init(
            &families[i]->months, families[i] == &shard->ipv4, sizes->month_addresses,
            sizes->month_shared);
    }
}

static void shard_finish(struct shard *shard)
{
    struct shard_family *families[] = {&shard->ipv4, &shard->ipv6};
    for (size_t i = 0; i < 2; i++) {
        minute_table_finish(&families[i]->minutes);
        month_table_finish(&families[i]->months);
    }
    month_list_finish(&shard->unwritten);
    key_table_finish(&shard->keys);
    pthread_mutex_destroy(&shard->lock);
}

void shard_set_init(struct shard_set *set, uint32_t count, const struct shard_sizes *sizes)
{
    set->memory = mem_zalloc(count * sizeof(struct shard) + SHARD_ALIGN);
    uintptr_t start = (uintptr_t)set->memory;
    set->shards = (struct shard *)((start + SHARD_ALIGN - 1) & ~(uintptr_t)(SHARD_ALIGN - 1));
    set->mask = count - 1;
    for (uint32_t i = 0; i < count; i++)
        shard_init(&set->shards[i], sizes);
}

void shard_set_finish(struct shard_set *set)
{
    for (uint32_t i = 0; i <= set->mask; i++)
        shard_finish(&set->shards[i]);
    mem_free(set->memory);
}

/* A caller's existing windows and counts. */
struct shard_places {
    struct window_slot *minute[ADDRESS_LEVELS_MAX];
    struct month_use *month[ADDRESS_LEVELS_MAX];
    bool complete; /* every level has both */
};

static struct shard_family *family_of(struct shard *shard, const struct shard_caller *caller)
{
    return caller->keys.ipv4 ? &shard->ipv4 : &shard->ipv6;
}

static void find_key(
    struct shard *shard, const struct shard_caller *caller, const struct window_time *time,
    struct shard_places *places, struct shard_use *use)
{
    struct key_entry *entry = key_table_find(&shard->keys, caller->key_no);
    if (!entry)
        return;
    places->minute[0] = window_find(entry->ring, KEY_RING, time->minute);
    places->month[0] = key_entry_month(entry, time->month);
    use->minute[0] = window_used(entry->ring, KEY_RING, &entry->lost, time);
}

/* Only a caller's own level shares with its group. */
static const struct address_key *group_of(const struct shard_caller *caller, size_t level)
{
    return level ? NULL : &caller->keys.group;
}

static void find_address(
    struct shard *shard, const struct shard_caller *caller, const struct window_time *time,
    struct shard_places *places, struct shard_use *use)
{
    struct shard_family *family = family_of(shard, caller);
    const struct address_keys *keys = &caller->keys;
    for (size_t i = 0; i < caller->n; i++) {
        const struct address_key *key = &keys->levels[i], *group = group_of(caller, i);
        places->minute[i] = minute_table_find(&family->minutes, key, group, time->minute);
        places->month[i] = month_table_find(&family->months, key, group, time->month);
        use->minute[i] = places->minute[i]
                             ? places->minute[i]->used
                             : minute_table_unopened(&family->minutes, key, group, time);
    }
}

static void find(
    struct shard *shard, const struct shard_caller *caller, const struct window_time *time,
    struct shard_places *places, struct shard_use *use)
{
    *places = (struct shard_places){0};
    *use = (struct shard_use){0};
    (caller->keyed ? find_key : find_address)(shard, caller, time, places, use);
    places->complete = true;
    for (size_t i = 0; i < caller->n; i++) {
        if (places->month[i])
            use->month[i] = places->month[i]->used;
        places->complete &= places->minute[i] && places->month[i];
    }
}

/* Creates the missing parts of one level. Use them before opening the next level, which may evict
 * this level's month entry. */
static void open_level(
    struct shard *shard, const struct shard_caller *caller, size_t level,
    const struct window_time *time, struct shard_places *places)
{
    bool minute_shared = false, month_shared = false;
    if (places->complete)
        return;
    if (caller->keyed) {
        struct key_entry *entry = key_table_open(&shard->keys, caller->key_no);
        places->minute[level] = window_open(entry->ring, KEY_RING, &entry->lost, time);
        places->month[level] = key_entry_open_month(entry, time->month);
        return;
    }
    struct shard_family *family = family_of(shard, caller);
    const struct address_key *key = &caller->keys.levels[level], *group = group_of(caller, level);
    places->minute[level] = minute_table_open(&family->minutes, key, group, time, &minute_shared);
    places->month[level] =
        month_table_open(&family->months, key, group, time->month, &month_shared);
    shard->counts.shared_minute += minute_shared;
    shard->counts.shared_month += month_shared;
}

void shard_look(
    struct shard *shard, const struct shard_caller *caller, const struct window_time *time,
    struct shard_use *ret)
{
    struct shard_places places;
    find(shard, caller, time, &places, ret);
}

enum limits_verdict shard_verdict(const struct shard_caller *caller, const struct shard_use *use)
{
    bool minute = false, month = false;
    for (size_t i = 0; i < caller->n; i++) {
        minute |= use->minute[i] >= caller->per_minute[i];
        month |= use->month[i] >= caller->per_month[i];
    }
    return month ? LIMITS_DENIED_MONTH : minute ? LIMITS_DENIED_MINUTE : LIMITS_GRANTED;
}

void shard_count_verdict(struct shard *shard, enum limits_verdict verdict)
{
    switch (verdict) {
    case LIMITS_GRANTED:
        shard->counts.granted++;
        break;
    case LIMITS_DENIED_MINUTE:
        shard->counts.denied_minute++;
        break;
    case LIMITS_DENIED_MONTH:
        shard->counts.denied_month++;
        break;
    case LIMITS_UNAVAILABLE:
        shard->counts.unavailable++;
        break;
    }
}

enum limits_verdict shard_draw(
    struct shard *shard, const struct shard_caller *caller, const struct window_time *time,
    struct shard_use *use)
{
    struct shard_places places;
    find(shard, caller, time, &places, use);
    enum limits_verdict verdict = shard_verdict(caller, use);
    shard_count_verdict(shard, verdict);
    if (verdict != LIMITS_GRANTED)
        return verdict;
    for (size_t i = 0; i < caller->n; i++) {
        open_level(shard, caller, i, time, &places);
        if (places.minute[i])
            use->minute[i] = ++places.minute[i]->used;
        if (places.month[i]) {
            month_use_add(places.month[i], 1, &shard->unwritten);
            use->month[i] = places.month[i]->used;
        }
    }
    return verdict;
}

void shard_refund(
    struct shard *shard, const struct shard_caller *caller, uint32_t minute, int32_t month)
{
    struct window_time drawn = {.minute = minute, .month = month};
    struct shard_places places;
    struct shard_use use;
    find(shard, caller, &drawn, &places, &use);
    for (size_t i = 0; i < caller->n; i++) {
        if (places.minute[i] && places.minute[i]->used)
            places.minute[i]->used--;
        if (places.month[i])
            month_use_add(places.month[i], -1, &shard->unwritten);
    }
    shard->counts.refunded++;
}

void shard_mirror(
    struct shard *shard, const struct shard_caller *caller, const struct window_time *time,
    const struct shard_use *use, bool drawn)
{
    struct shard_places places;
    struct shard_use known;
    find(shard, caller, time, &places, &known);
    for (size_t i = 0; i < caller->n; i++) {
        if (!drawn && use->minute[i] <= known.minute[i] && use->month[i] <= known.month[i])
            continue;
        open_level(shard, caller, i, time, &places);
        if (places.minute[i] && places.minute[i]->used < use->minute[i])
            places.minute[i]->used = use->minute[i];
        if (places.month[i])
            month_use_mirror(places.month[i], use->month[i], drawn, &shard->unwritten);
    }
}

static void visit_keys(const struct key_table *keys, uint32_t minute, shard_visit *visit, void *ctx)
{
    for (size_t i = 0; i <= keys->by_no.mask; i++) {
        struct key_entry *entry = keys->by_no.slots[i].value;
        const struct window_slot *slot = entry ? window_find(entry->ring, KEY_RING, minute) : NULL;
        if (slot && slot->used)
            visit(
                ctx, &(struct shard_caller){.keyed = true, .key_no = entry->key_no, .n = 1},
                slot->used);
    }
}

static void visit_addresses(
    struct minute_table *table, uint32_t minute, shard_visit *visit, void *ctx)
{
    for (size_t i = 0; i < ((size_t)table->set_mask + 1) * MINUTE_SET; i++) {
        struct minute_entry *entry = &table->entries[i];
        const struct window_slot *slot =
            entry->latest ? window_find(entry->ring, MINUTE_RING, minute) : NULL;
        if (slot && slot->used)
            visit(
                ctx, &(struct shard_caller){.n = 1, .keys = {.n = 1, .levels = {entry->key}}},
                slot->used);
    }
}

void shard_each(struct shard *shard, uint32_t minute, shard_visit *visit, void *ctx)
{
    visit_keys(&shard->keys, minute, visit, ctx);
    visit_addresses(&shard->ipv4.minutes, minute, visit, ctx);
    visit_addresses(&shard->ipv6.minutes, minute, visit, ctx);
}
