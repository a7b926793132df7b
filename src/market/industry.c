/* The curated lists; see industry.h. */
#include "market/industry.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/search.h"
#include "market/curated_list.h"

extern const char industries_csv[], symbol_industries_csv[], committee_industries_csv[],
    gics_industries_csv[];
extern const size_t industries_csv_size, symbol_industries_csv_size, committee_industries_csv_size,
    gics_industries_csv_size;

struct gics_entry {
    struct str name;
    int industry;
};

static struct {
    struct arena arena;
    struct industry *industries;
    size_t industry_count;
    struct symbol_entry *symbols;
    size_t symbol_count;
    struct committee_entry *committees;
    size_t committee_count;
    struct gics_entry *gics;
    size_t gics_count;
} lists;

static int find_code(struct str code)
{
    for (size_t i = 0; i < lists.industry_count; i++)
        if (str_eq(lists.industries[i].code, code))
            return (int)i + 1;
    return 0;
}

static int industry_of_field(struct str field)
{
    int industry = find_code(field);
    assert(industry || str_eq(field, STR("-")));
    return industry;
}

static void read_industries(struct str text)
{
    struct csv_in csv;
    lists.industries = curated_open(&csv, &lists.arena, text, 3, sizeof *lists.industries);
    while (curated_next(&csv, 3))
        lists.industries[lists.industry_count++] =
            (struct industry){csv.field[0], csv.field[1], csv.field[2]};
    assert(lists.industry_count == INDUSTRY_COUNT); /* the lists of parameters need the number */
}

static void read_symbols(struct str text)
{
    struct csv_in csv;
    lists.symbols = curated_open(&csv, &lists.arena, text, 7, sizeof *lists.symbols);
    while (curated_next(&csv, 7))
        lists.symbols[lists.symbol_count++] = (struct symbol_entry){
            .symbol = csv.field[0],
            .from = curated_day(csv.field[1]),
            .to = curated_day(csv.field[2]),
            .company = csv.field[3],
            .industry = industry_of_field(csv.field[4]),
            .business = csv.field[5],
            .source = csv.field[6],
        };
}

static const struct str grounds[GROUND_COUNT] = {
    [GROUND_RULE] = STR_INIT("rule"), [GROUND_PANEL] = STR_INIT("panel"),
    [GROUND_PART] = STR_INIT("part"), [GROUND_APPROPRIATIONS] = STR_INIT("appropriations"),
    [GROUND_ACT] = STR_INIT("act"),
};

struct str committee_ground_name(enum committee_ground ground)
{
    return grounds[ground];
}

static void read_committees(struct str text)
{
    struct csv_in csv;
    lists.committees = curated_open(&csv, &lists.arena, text, 8, sizeof *lists.committees);
    while (curated_next(&csv, 8))
        lists.committees[lists.committee_count++] = (struct committee_entry){
            .committee = csv.field[0],
            .name = csv.field[1],
            .industry = industry_of_field(csv.field[2]),
            .jurisdiction = csv.field[3],
            .source = csv.field[4],
            .ground = (enum committee_ground)curated_word(csv.field[5], grounds, GROUND_ACT),
            .from = curated_day(csv.field[6]),
            .to = curated_day(csv.field[7]),
        };
}

static void read_gics(struct str text)
{
    struct csv_in csv;
    lists.gics = curated_open(&csv, &lists.arena, text, 2, sizeof *lists.gics);
    while (curated_next(&csv, 2))
        lists.gics[lists.gics_count++] =
            (struct gics_entry){csv.field[0], industry_of_field(csv.field[1])};
}

static void read_lists(void)
{
    arena_init(&lists.arena);
    read_industries(str_of(industries_csv, industries_csv_size));
    read_symbols(str_of(symbol_industries_csv, symbol_industries_csv_size));
    read_committees(str_of(committee_industries_csv, committee_industries_csv_size));
    read_gics(str_of(gics_industries_csv, gics_industries_csv_size));
}

static void need_lists(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_lists);
}

const struct industry *industry_get(int industry)
{
    need_lists();
    assert(industry >= 1 && (size_t)industry <= lists.industry_count);
    return &lists.industries[industry - 1];
}

int industry_from_code(struct str code)
{
    need_lists();
    return find_code(code);
}

int industry_from_name(struct str name)
{
    need_lists();
    for (size_t i = 0; i < lists.industry_count; i++)
        if (str_eq(lists.industries[i].name, name))
            return (int)i + 1;
    return 0;
}

const struct symbol_entry *industry_lines_of(struct str symbol, size_t *ret_count)
{
    need_lists();
    return equal_range(lists.symbols, lists.symbol_count, sizeof *lists.symbols, symbol, ret_count);
}

const struct symbol_entry *industry_of_symbol(struct str symbol, int32_t day)
{
    size_t n;
    const struct symbol_entry *entries = industry_lines_of(symbol, &n);
    for (size_t i = 0; i < n; i++) {
        const struct symbol_entry *entry = &entries[i];
        if (days_include(entry->from, entry->to, day))
            return entry;
    }
    return NULL;
}

const struct symbol_entry *industry_symbols(size_t *ret_count)
{
    need_lists();
    *ret_count = lists.symbol_count;
    return lists.symbols;
}

const struct committee_entry *industry_of_committee(struct str committee, size_t *ret_count)
{
    need_lists();
    return equal_range(
        lists.committees, lists.committee_count, sizeof *lists.committees, committee, ret_count);
}

const struct committee_entry *industry_committees(size_t *ret_count)
{
    need_lists();
    *ret_count = lists.committee_count;
    return lists.committees;
}

int industry_of_gics(struct str sub_industry)
{
    need_lists();
    for (size_t i = 0; i < lists.gics_count; i++)
        if (str_eq(lists.gics[i].name, sub_industry))
            return lists.gics[i].industry;
    return 0;
}
