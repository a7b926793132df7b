/* Month counts of addresses, bounded; see month_table.h. */
#include "limits/month_table.h"

#include "base/mem.h"

enum { SET_CHOICE = 4, SHARED_CHOICE = 4 }; /* offset in a key of the choosing word */

static uint32_t power_of_two(uint32_t n, uint32_t least)
{
    uint32_t power = least;
    while (power < n)
        power *= 2;
    return power;
}

void month_table_init(struct month_table *table, bool ipv4, uint32_t addresses, uint32_t shared)
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

void month_table_finish(struct month_table *table)
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
static struct month_entry *entry_room(
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

static struct month_use *shared_of(const struct month_table *table, const struct address_key *group)
{
    return &table->shared[address_key_word(group, SHARED_CHOICE) & table->shared_mask];
}

struct month_use *month_table_find(
    struct month_table *table, const struct address_key *key, const struct address_key *group,
    int32_t month)
{
    struct month_entry *entry = month_table_entry(table, key, month);
    if (entry)
        return &entry->use;
    if (!group)
        return NULL;
    struct month_use *shared = shared_of(table, group);
    return shared->month == month && !entry_room(table, key, month) ? shared : NULL;
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
    entry = entry_room(table, key, month);
    if (!entry && !group)
        return NULL;
    if (!entry) {
        struct month_use *shared = shared_of(table, group);
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
