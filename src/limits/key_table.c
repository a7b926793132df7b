/* Minute windows and months of keyed callers; see key_table.h. */
#include "limits/key_table.h"

#include "base/mem.h"

enum { KEY_TABLE_MIN = 16 };

void key_table_init(struct key_table *table)
{
    *table = (struct key_table){
        .slots = mem_array(KEY_TABLE_MIN, sizeof table->slots[0]),
        .mask = KEY_TABLE_MIN - 1,
    };
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
    for (size_t i = 0; i <= table->mask; i++)
        if (table->slots[i])
            entry_destroy(table->slots[i]);
    mem_free(table->slots);
}

/* Key numbers are consecutive; the multiplication spreads them (splitmix64). */
uint64_t key_hash(int64_t key_no)
{
    uint64_t h = (uint64_t)key_no + 0x9e3779b97f4a7c15;
    h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9;
    h = (h ^ h >> 27) * 0x94d049bb133111eb;
    return h ^ h >> 31;
}

/* The slot that holds the key, or the free slot where it belongs. */
static struct key_entry **slot_of(const struct key_table *table, int64_t key_no)
{
    size_t i = key_hash(key_no) & table->mask;
    while (table->slots[i] && table->slots[i]->key_no != key_no)
        i = (i + 1) & table->mask;
    return &table->slots[i];
}

struct key_entry *key_table_find(const struct key_table *table, int64_t key_no)
{
    return *slot_of(table, key_no);
}

static void grow(struct key_table *table)
{
    struct key_table larger = {.mask = 2 * table->mask + 1, .count = table->count};
    larger.slots = mem_array(larger.mask + 1, sizeof larger.slots[0]);
    for (size_t i = 0; i <= table->mask; i++)
        if (table->slots[i])
            *slot_of(&larger, table->slots[i]->key_no) = table->slots[i];
    mem_free(table->slots);
    *table = larger;
}

struct key_entry *key_table_open(struct key_table *table, int64_t key_no)
{
    struct key_entry **slot = slot_of(table, key_no);
    if (*slot)
        return *slot;
    if (2 * (table->count + 1) > table->mask) {
        grow(table);
        slot = slot_of(table, key_no);
    }
    *slot = MEM_NEW(struct key_entry);
    (*slot)->key_no = key_no;
    table->count++;
    return *slot;
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
