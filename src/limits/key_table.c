/* Minute windows and months of keyed callers; see key_table.h. */
#include "limits/key_table.h"

void key_table_init(struct key_table *table)
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

void key_table_finish(struct key_table *table)
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

struct key_entry *key_table_find(const struct key_table *table, int64_t key_no)
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

struct month_use *key_entry_month(const struct key_entry *entry, int32_t month)
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
