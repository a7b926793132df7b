/* The lists of businesses; see business.h. */
#include "market/business.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/search.h"
#include "market/curated_list.h"
#include "market/industry.h"

extern const char company_businesses_csv[], fund_underlyings_csv[];
extern const size_t company_businesses_csv_size, fund_underlyings_csv_size;

enum { COMPANIES, FUNDS, LISTS };

static struct {
    struct business *lines;
    size_t count;
} lists[LISTS];

static const struct str kinds[BUSINESS_KIND_COUNT] = {
    [BUSINESS_PRIMARY] = STR_INIT("primary"), [BUSINESS_SECONDARY] = STR_INIT("secondary"),
    [BUSINESS_MINOR] = STR_INIT("minor"),     [BUSINESS_ASSET] = STR_INIT("asset"),
    [BUSINESS_SECTOR] = STR_INIT("sector"),
};

struct str business_kind_name(enum business_kind kind)
{
    return kinds[kind];
}

static int share_of_field(struct str field)
{
    int64_t share = curated_number(field);
    assert(share >= (field.n > 0 ? 1 : 0) && share <= 100);
    return (int)share;
}

static void read_list(int list, struct arena *arena, struct str text)
{
    struct csv_in csv;
    struct business *line = curated_open(&csv, arena, text, 6, sizeof *line);
    lists[list].lines = line;
    for (; curated_next(&csv, 6); line++) {
        bool fund = list == FUNDS;
        *line = (struct business){
            .symbol = csv.field[0],
            .from = curated_day(csv.field[1]),
            .to = curated_day(csv.field[2]),
            .industry = industry_from_code(csv.field[fund ? 4 : 3]),
            .share = fund ? 0 : share_of_field(csv.field[4]),
            .source = csv.field[5],
            .number = (uint32_t)(lists[COMPANIES].count + lists[FUNDS].count + 1),
        };
        line->kind =
            fund ? (enum business_kind)curated_word(csv.field[3], kinds, BUSINESS_KIND_COUNT)
            : line->share < BUSINESS_SHARE_JUDGED ? BUSINESS_MINOR
                                                  : BUSINESS_SECONDARY;
        assert(line->industry);
        lists[list].count++;
    }
}

static void read_lists(void)
{
    static struct arena arena;
    arena_init(&arena);
    read_list(COMPANIES, &arena, str_of(company_businesses_csv, company_businesses_csv_size));
    read_list(FUNDS, &arena, str_of(fund_underlyings_csv, fund_underlyings_csv_size));
}

const struct business *business_all(bool funds, size_t *ret_count)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_lists);
    *ret_count = lists[funds].count;
    return lists[funds].lines;
}

/* Lines of a symbol that have a day in common follow each other. */
const struct business *business_on(struct str symbol, int32_t day, size_t *ret_count)
{
    const struct business *first = NULL;
    *ret_count = 0;
    for (int list = 0; list < LISTS && !first; list++) {
        size_t count, n;
        const struct business *all = business_all(list == FUNDS, &count);
        const struct business *lines = equal_range(all, count, sizeof *all, symbol, &n);
        for (size_t i = 0; i < n; i++)
            if (days_include(lines[i].from, lines[i].to, day) && (*ret_count)++ == 0)
                first = &lines[i];
    }
    return first;
}
