/* The holders of symbols; see symbol_holder.h. */
#include "market/symbol_holder.h"

#include <assert.h>
#include <pthread.h>

#include "base/csv_in.h"
#include "base/search.h"

extern const char symbol_holders_csv[];
extern const size_t symbol_holders_csv_size;

enum { SYMBOL, CIK, FROM, TO, COMPANY, COLUMNS };

static struct {
    struct arena arena;
    struct symbol_holder *items;
    size_t count;
    int32_t day;
} list;

/* A malformed list is a mistake of the build; a unit test reads the same bytes. */

static int32_t day_of_field(struct str field)
{
    int32_t day = DAY_NONE;
    bool good = field.n == 0 || day_parse(field, &day);
    assert(good);
    return day;
}

static int64_t number_of_field(struct str field)
{
    int64_t number = 0;
    bool good = field.n == 0 || str_to_i64(field, &number);
    assert(good);
    return number;
}

static size_t count_lines(struct str text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        n += text.p[i] == '\n';
    return n;
}

static void read_list(void)
{
    struct str text = {symbol_holders_csv, symbol_holders_csv_size};
    struct csv_in csv;
    arena_init(&list.arena);
    csv_in_init(&csv, text, &list.arena);
    bool header = csv_in_next(&csv);
    assert(header && csv.count == COLUMNS);
    list.items = arena_alloc(&list.arena, sizeof *list.items * (count_lines(text) + 1));
    list.day = DAY_NONE;
    while (csv_in_next(&csv)) {
        assert(csv.count == COLUMNS);
        struct symbol_holder *holder = &list.items[list.count++];
        *holder = (struct symbol_holder){
            .symbol = csv.field[SYMBOL],
            .cik = number_of_field(csv.field[CIK]),
            .from = day_of_field(csv.field[FROM]),
            .to = day_of_field(csv.field[TO]),
            .company = csv.field[COMPANY],
        };
        if (holder->from != DAY_NONE && (list.day == DAY_NONE || holder->from > list.day))
            list.day = holder->from;
    }
    assert(!csv.error);
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
