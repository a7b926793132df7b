/* The holders of symbols; see symbol_holder.h. */
#include "market/symbol_holder.h"

#include <pthread.h>

#include "base/search.h"
#include "market/curated_list.h"

extern const char symbol_holders_csv[];
extern const size_t symbol_holders_csv_size;

enum { SYMBOL, CIK, FROM, TO, COMPANY, COLUMNS };

static struct {
    struct symbol_holder *items;
    size_t count;
    int32_t day;
} list = {.day = DAY_NONE};

static void read_list(void)
{
    static struct arena arena;
    struct csv_in csv;
    arena_init(&arena);
    struct str text = str_of(symbol_holders_csv, symbol_holders_csv_size);
    list.items = curated_open(&csv, &arena, text, COLUMNS, sizeof *list.items);
    while (curated_next(&csv, COLUMNS)) {
        struct symbol_holder *holder = &list.items[list.count++];
        *holder = (struct symbol_holder){
            .symbol = csv.field[SYMBOL],
            .cik = curated_number(csv.field[CIK]),
            .from = curated_day(csv.field[FROM]),
            .to = curated_day(csv.field[TO]),
            .company = csv.field[COMPANY],
        };
        if (holder->from != DAY_NONE && (list.day == DAY_NONE || holder->from > list.day))
            list.day = holder->from;
    }
}

static void need_list(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_list);
}

const struct symbol_holder *symbol_holders_of(struct str symbol, size_t *ret_count)
{
    need_list();
    return equal_range(list.items, list.count, sizeof *list.items, symbol, ret_count);
}

const struct symbol_holder *symbol_holders(size_t *ret_count)
{
    need_list();
    *ret_count = list.count;
    return list.items;
}

int32_t symbol_holders_day(void)
{
    need_list();
    return list.day;
}
