/* Draws inside a shard; see shard.h. */
#include "limits/shard.h"

#include <assert.h>

/* Minute windows of addresses, bounded. */

enum {
    FIRST_CHOICE = 4, /* offset in a key of the words that choose its two sets */
    SECOND_CHOICE = 8,
    SET_CHOICE = 4,
    SHARED_CHOICE = 4, /* in a group's key, of the word that chooses its shared window */
};

static uint32_t power_of_two(uint32_t n, uint32_t least)
{
    uint32_t power = least;
    while (power < n)
        power *= 2;
    return power;
}

static void minute_table_init(struct minute_table *table, uint32_t addresses, uint32_t shared)
{
    uint32_t entry_count = power_of_two(addresses, MINUTE_SET);
    uint32_t shared_count = power_of_two(shared, 1);
    *table = (struct minute_table){
        .entries = mem_array(entry_count, sizeof table->entries[0]),
        .set_mask = entry_count / MINUTE_SET - 1,
        .shared = mem_array(shared_count, sizeof table->shared[0]),
        .shared_mask = shared_count - 1,
    };
}

static void minute_table_finish(struct minute_table *table)
{
    mem_free(table->entries);
    mem_free(table->shared);
}

static struct minute_entry *set_at(
    const struct minute_table *table, const struct address_key *key, size_t choice)
{
    uint32_t set = address_key_word(key, choice) & table->set_mask;
    return &table->entries[(size_t)set * MINUTE_SET];
}

static const size_t set_choices[] = {FIRST_CHOICE, SECOND_CHOICE};

static struct minute_entry *entry_find(
    const struct minute_table *table, const struct address_key *key)
{
    for (size_t c = 0; c < 2; c++) {
        struct minute_entry *set = set_at(table, key, set_choices[c]);
        for (size_t i = 0; i < MINUTE_SET; i++)
            if (set[i].latest && address_key_eq(&set[i].key, key))
                return &set[i];
    }
    return NULL;
}

/* The best place in a set: an unused entry, or else the entry without a window in this minute that
 * has been idle longest; NULL: all are held. Sets *ret_held to the number of held entries. */
static struct minute_entry *set_room(struct minute_entry *set, uint32_t minute, unsigned *ret_held)
{
    struct minute_entry *room = NULL;
    *ret_held = 0;
    for (size_t i = 0; i < MINUTE_SET; i++) {
        if (set[i].latest && window_find(set[i].ring, MINUTE_RING, minute))
            ++*ret_held;
        else if (!room || set[i].latest < room->latest)
            room = &set[i];
    }
    return room;
}

/* A place for a newcomer, in the emptier of its two sets: this keeps sets from filling up long
 * before the table does. NULL: all are held. */
static struct minute_entry *minute_room(
    const struct minute_table *table, const struct address_key *key, uint32_t minute)
{
    unsigned held[2];
    struct minute_entry *first = set_room(set_at(table, key, set_choices[0]), minute, &held[0]);
    struct minute_entry *second = set_room(set_at(table, key, set_choices[1]), minute, &held[1]);
    return held[0] <= held[1] ? first : second;
}

static struct minute_shared *minute_shared_of(
    const struct minute_table *table, const struct address_key *group)
{
    return &table->shared[address_key_word(group, SHARED_CHOICE) & table->shared_mask];
}

/* The caller's window of that minute, its own or the shared one; NULL: not open. */
static struct window_slot *minute_table_find(
    struct minute_table *table, const struct address_key *key, const struct address_key *group,
    uint32_t minute)
{
    struct minute_entry *entry = entry_find(table, key);
    if (entry)
        return window_find(entry->ring, MINUTE_RING, minute);
    if (!group || minute_room(table, key, minute))
        return NULL;
    return window_find(minute_shared_of(table, group)->ring, MINUTE_RING, minute);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The starting count of a new entry's window. It is 0 unless the clock was set back into a minute
 * in which the caller may have been counted in an evicted entry or in the shared window. */
static uint32_t entry_start(
    const struct minute_table *table, const struct address_key *group,
    const struct window_time *time)
{
    uint32_t lost = time->again && time->minute <= table->lost.minute ? table->lost.peak : 0;
    if (!time->again || !group)
        return lost;
    const struct minute_shared *shared = minute_shared_of(table, group);
    return larger(lost, window_used(shared->ring, MINUTE_RING, &shared->lost, time));
}

/* The starting count of a window that is not open. */
static uint32_t minute_table_unopened(
    struct minute_table *table, const struct address_key *key, const struct address_key *group,
    const struct window_time *time)
{
    const struct minute_entry *entry = entry_find(table, key);
    if (entry)
        return window_used(entry->ring, MINUTE_RING, &entry->lost, time);
    if (!group || minute_room(table, key, time->minute))
        return entry_start(table, group, time);
    const struct minute_shared *shared = minute_shared_of(table, group);
    return window_used(shared->ring, MINUTE_RING, &shared->lost, time);
}

/* Remembers the draws of an entry and gives it to another key. */
static void entry_replace(
    struct minute_table *table, struct minute_entry *entry, const struct address_key *key)
{
    for (size_t i = 0; i < MINUTE_RING; i++) {
        if (entry->ring[i].used) {
            table->lost.minute = larger(table->lost.minute, entry->ring[i].minute);
            table->lost.peak = larger(table->lost.peak, entry->ring[i].used);
        }
    }
    table->lost.minute = larger(table->lost.minute, entry->lost.minute);
    table->lost.peak = larger(table->lost.peak, entry->lost.peak);
    *entry = (struct minute_entry){.key = *key};
}

static struct window_slot *entry_open(
    struct minute_table *table, struct minute_entry *entry, const struct window_time *time)
{
    if (table->minute != time->minute) {
        table->minute = time->minute;
        table->count = 0;
    }
    if (!window_find(entry->ring, MINUTE_RING, time->minute))
        table->count++;
    entry->latest = larger(entry->latest, time->minute + 1);
    return window_open(entry->ring, MINUTE_RING, &entry->lost, time);
}

/* Returns the open window, or opens one. *ret_shared: it is shared. NULL: no room, and no group. */
static struct window_slot *minute_table_open(
    struct minute_table *table, const struct address_key *key, const struct address_key *group,
    const struct window_time *time, bool *ret_shared)
{
    struct minute_entry *entry = entry_find(table, key);
    *ret_shared = false;
    if (entry)
        return entry_open(table, entry, time);
    entry = minute_room(table, key, time->minute);
    if (entry) {
        uint32_t start = entry_start(table, group, time);
        entry_replace(table, entry, key);
        struct window_slot *slot = entry_open(table, entry, time);
        slot->used = start;
        return slot;
    }
    if (!group)
        return NULL;
    struct minute_shared *shared = minute_shared_of(table, group);
    *ret_shared = true;
    return window_open(shared->ring, MINUTE_RING, &shared->lost, time);
}

uint32_t minute_table_count(const struct minute_table *table, uint32_t minute)
{
    return table->minute == minute ? table->count : 0;
}

/* Month counts of addresses, bounded. */

static void month_table_init(
    struct month_table *table, bool ipv4, uint32_t addresses, uint32_t shared)
{
    uint32_t entry_count = power_of_two(addresses, MONTH_SET);
    uint32_t shared_count = power_of_two(shared, 1);
    *table = (struct month_table){
        .ipv4 = ipv4,
        .entries = mem_array(entry_count, sizeof table->entries[0]),
        .set_mask = entry_count / MONTH_SET - 1,
        .shared = mem_array(shared_count, sizeof table->shared[0]),
        .shared_mask = shared_count - 1,
        .removed = mem_array(MONTH_REMOVED_MAX, sizeof table->removed[0]),
    };
}

static void month_table_finish(struct month_table *table)
{
    mem_free(table->entries);
    mem_free(table->shared);
    mem_free(table->removed);
}

static struct month_entry *set_of(const struct month_table *table, const struct address_key *key)
{
    uint32_t set = address_key_word(key, SET_CHOICE) & table->set_mask;
    return &table->entries[(size_t)set * MONTH_SET];
}

static bool entry_free(const struct month_entry *entry)
{
    return !entry->use.used && !entry->use.unwritten && !entry->use.stored;
}

struct month_entry *month_table_entry(
    const struct month_table *table, const struct address_key *key, int32_t month)
{
    struct month_entry *set = set_of(table, key);
    for (size_t i = 0; i < MONTH_SET; i++)
        if (set[i].use.month == month && address_key_eq(&set[i].key, key) && !entry_free(&set[i]))
            return &set[i];
    return NULL;
}

/* An entry of another month may be evicted once all of it is written; an entry of this month, if it
 * has few draws and its row can be deleted. */
static bool entry_may_go(
    const struct month_table *table, const struct month_entry *entry, int32_t month)
{
    if (entry->use.month != month)
        return !entry->use.unwritten;
    return entry->use.used <= MONTH_FORGET_MAX &&
           (!entry->use.stored || table->removed_n < MONTH_REMOVED_MAX);
}

/* Evicts entries of other months first, then the entry with the fewest draws. */
static bool goes_before(const struct month_entry *a, const struct month_entry *b, int32_t month)
{
    bool a_other = a->use.month != month, b_other = b->use.month != month;
    if (a_other != b_other)
        return a_other;
    if (a_other && a->use.month != b->use.month)
        return a->use.month < b->use.month;
    return a->use.used < b->use.used;
}

/* The place for a newcomer; NULL: it must share. */
static struct month_entry *month_room(
    const struct month_table *table, const struct address_key *key, int32_t month)
{
    struct month_entry *set = set_of(table, key), *room = NULL;
    for (size_t i = 0; i < MONTH_SET; i++) {
        if (entry_free(&set[i]))
            return &set[i];
        if (entry_may_go(table, &set[i], month) && (!room || goes_before(&set[i], room, month)))
            room = &set[i];
    }
    return room;
}

static struct month_use *month_shared_of(
    const struct month_table *table, const struct address_key *group)
{
    return &table->shared[address_key_word(group, SHARED_CHOICE) & table->shared_mask];
}

/* The caller's count: its own, or the shared count that a draw would use. NULL: a draw would start
 * a new one. */
static struct month_use *month_table_find(
    struct month_table *table, const struct address_key *key, const struct address_key *group,
    int32_t month)
{
    struct month_entry *entry = month_table_entry(table, key, month);
    if (entry)
        return &entry->use;
    if (!group)
        return NULL;
    struct month_use *shared = month_shared_of(table, group);
    return shared->month == month && !month_room(table, key, month) ? shared : NULL;
}

static void entry_forget(struct month_table *table, struct month_entry *entry, int32_t month)
{
    if (entry->use.month == month) {
        table->forgotten++;
        table->forgotten_draws += entry->use.used;
        if (entry->use.stored)
            table->removed[table->removed_n++] =
                (struct month_removed){entry->key, entry->use.month};
    }
}

struct month_use *month_table_open(
    struct month_table *table, const struct address_key *key, const struct address_key *group,
    int32_t month, bool *ret_shared)
{
    struct month_entry *entry = month_table_entry(table, key, month);
    *ret_shared = false;
    if (entry)
        return &entry->use;
    entry = month_room(table, key, month);
    if (!entry && !group)
        return NULL;
    if (!entry) {
        struct month_use *shared = month_shared_of(table, group);
        if (shared->month != month)
            *shared = (struct month_use){.month = month, .listed = true};
        *ret_shared = true;
        return shared;
    }
    if (!entry_free(entry))
        entry_forget(table, entry, month);
    if (!entry->use.month)
        table->count++;
    bool listed = entry->use.listed; /* the list still points to this entry */
    *entry = (struct month_entry){{.month = month, .ipv4 = table->ipv4, .listed = listed}, *key};
    return &entry->use;
}

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
