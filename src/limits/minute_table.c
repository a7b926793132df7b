/* Minute windows of addresses, bounded; see minute_table.h. */
#include "limits/minute_table.h"

#include "base/mem.h"

enum {
    FIRST_CHOICE = 4, /* offset in a key of the words that choose its two sets */
    SECOND_CHOICE = 8,
    SHARED_CHOICE = 4, /* offset in a group's key of the word that chooses its shared window */
};

static uint32_t power_of_two(uint32_t n, uint32_t least)
{
    uint32_t power = least;
    while (power < n)
        power *= 2;
    return power;
}

void minute_table_init(struct minute_table *table, uint32_t addresses, uint32_t shared)
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

void minute_table_finish(struct minute_table *table)
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
static struct minute_entry *entry_room(
    const struct minute_table *table, const struct address_key *key, uint32_t minute)
{
    unsigned held[2];
    struct minute_entry *first = set_room(set_at(table, key, set_choices[0]), minute, &held[0]);
    struct minute_entry *second = set_room(set_at(table, key, set_choices[1]), minute, &held[1]);
    return held[0] <= held[1] ? first : second;
}

static struct minute_shared *shared_of(
    const struct minute_table *table, const struct address_key *group)
{
    return &table->shared[address_key_word(group, SHARED_CHOICE) & table->shared_mask];
}

struct window_slot *minute_table_find(
    struct minute_table *table, const struct address_key *key, const struct address_key *group,
    uint32_t minute)
{
    struct minute_entry *entry = entry_find(table, key);
    if (entry)
        return window_find(entry->ring, MINUTE_RING, minute);
    if (!group || entry_room(table, key, minute))
        return NULL;
    return window_find(shared_of(table, group)->ring, MINUTE_RING, minute);
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
    const struct minute_shared *shared = shared_of(table, group);
    return larger(lost, window_used(shared->ring, MINUTE_RING, &shared->lost, time));
}

uint32_t minute_table_unopened(
    struct minute_table *table, const struct address_key *key, const struct address_key *group,
    const struct window_time *time)
{
    const struct minute_entry *entry = entry_find(table, key);
    if (entry)
        return window_used(entry->ring, MINUTE_RING, &entry->lost, time);
    if (!group || entry_room(table, key, time->minute))
        return entry_start(table, group, time);
    const struct minute_shared *shared = shared_of(table, group);
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

struct window_slot *minute_table_open(
    struct minute_table *table, const struct address_key *key, const struct address_key *group,
    const struct window_time *time, bool *ret_shared)
{
    struct minute_entry *entry = entry_find(table, key);
    *ret_shared = false;
    if (entry)
        return entry_open(table, entry, time);
    entry = entry_room(table, key, time->minute);
    if (entry) {
        uint32_t start = entry_start(table, group, time);
        entry_replace(table, entry, key);
        struct window_slot *slot = entry_open(table, entry, time);
        slot->used = start;
        return slot;
    }
    if (!group)
        return NULL;
    struct minute_shared *shared = shared_of(table, group);
    *ret_shared = true;
    return window_open(shared->ring, MINUTE_RING, &shared->lost, time);
}

uint32_t minute_table_count(const struct minute_table *table, uint32_t minute)
{
    return table->minute == minute ? table->count : 0;
}
