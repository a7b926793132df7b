/* The invented companies; see companies.h. */
#include "demo/companies.h"

#include <assert.h>

#include "base/csv_in.h"
#include "market/industry.h"

enum { COMPANIES_MAX = 1000 };

extern const char demo_companies_csv[];
extern const size_t demo_companies_csv_size;

void demo_companies_read(struct arena *arena, struct demo_companies *ret)
{
    struct csv_in csv;
    struct ticker *items = ARENA_ARRAY(arena, struct ticker, COMPANIES_MAX);
    size_t count = 0;
    csv_in_init(&csv, str_of(demo_companies_csv, demo_companies_csv_size), arena);
    bool header = csv_in_next(&csv);
    assert(header && csv.count == 3);
    while (csv_in_next(&csv)) {
        char symbol[TICKER_SIZE_MAX];
        assert(csv.count == 3 && count < COMPANIES_MAX);
        size_t n = ticker_normalize(csv.field[0], symbol);
        assert(str_eq(csv.field[0], str_of(symbol, n)));
        assert(industry_from_name(csv.field[2]));
        items[count++] = (struct ticker){
            .symbol = csv.field[0],
            .company = csv.field[1],
            .industry = csv.field[2],
            .source = STR("demonstration"),
        };
    }
    assert(!csv.error && count > 0);
    *ret = (struct demo_companies){items, count};
}
