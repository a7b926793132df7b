/* Companies of symbols; see company.h. */
#include "market/company.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/search.h"
#include "market/company_name.h"
#include "market/industry.h"
#include "market/symbol_holder.h"

enum { LATE_LIST_DAYS = 366 };

static const struct str holder_source =
    STR_INIT("lists of the SEC and of exchanges (data/symbol_holders.csv)");

static bool names_agree(struct str a, struct str b)
{
    return company_name_compare(a, b) != COMPANY_NAME_OTHER;
}

/* Days by which the last day lies before `day`; INT32_MAX: it does not. */
static int32_t days_since_end(int32_t to, int32_t day)
{
    return to != DAY_NONE && to < day ? day - to : INT32_MAX;
}

static struct company from_line(const struct symbol_entry *line)
{
    return (struct company){
        .basis = COMPANY_CURATED,
        .symbol = line->symbol,
        .name = line->company,
        .industry = line->industry,
        .from = line->from,
        .to = line->to,
        .business = line->business,
        .source = line->source,
        .origin = line,
    };
}

static int industry_of_import(const struct company_import *imported)
{
    return imported && !str_is_null(imported->industry) ? industry_from_name(imported->industry)
                                                        : 0;
}

static struct company from_holder(
    const struct symbol_holder *holder, const struct company_import *imported)
{
    struct company company = {
        .basis = COMPANY_HOLDER,
        .symbol = holder->symbol,
        .name = holder->company,
        .from = holder->from,
        .to = holder->to,
        .source = holder_source,
        .origin = holder,
    };
    if (imported && names_agree(imported->name, holder->company)) {
        company.industry = industry_of_import(imported);
        company.source = company.industry ? imported->source : holder_source;
    }
    return company;
}

static struct company from_import(struct str symbol, const struct company_import *imported)
{
    return (struct company){
        .basis = COMPANY_IMPORTED,
        .symbol = symbol,
        .name = imported->name,
        .industry = industry_of_import(imported),
        .from = DAY_NONE,
        .to = DAY_NONE,
        .source = imported->source,
        .origin = imported,
    };
}

/* --- one day */

struct company_search {
    const struct symbol_entry *lines;
    const struct symbol_holder *holders;
    size_t line_count, holder_count;
    int32_t day;
};

static struct company_search search_of(struct str symbol, int32_t day)
{
    struct company_search s = {.day = day};
    s.lines = industry_lines_of(symbol, &s.line_count);
    s.holders = symbol_holders_of(symbol, &s.holder_count);
    return s;
}

static const struct symbol_entry *line_on(const struct company_search *s)
{
    for (size_t i = 0; i < s->line_count; i++)
        if (days_include(s->lines[i].from, s->lines[i].to, s->day))
            return &s->lines[i];
    return NULL;
}

static const struct symbol_holder *holder_on(const struct company_search *s)
{
    for (size_t i = 0; i < s->holder_count; i++)
        if (days_include(s->holders[i].from, s->holders[i].to, s->day))
            return &s->holders[i];
    return NULL;
}

/* The line that ended last, if that is recent. */
static const struct symbol_entry *line_before(const struct company_search *s)
{
    const struct symbol_entry *found = NULL;
    for (size_t i = 0; i < s->line_count; i++)
        if (days_since_end(s->lines[i].to, s->day) <= COMPANY_LAG_DAYS)
            found = &s->lines[i];
    return found;
}

static const struct symbol_holder *holder_before(const struct company_search *s)
{
    const struct symbol_holder *found = NULL;
    for (size_t i = 0; i < s->holder_count; i++)
        if (days_since_end(s->holders[i].to, s->day) <= COMPANY_LAG_DAYS)
            found = &s->holders[i];
    return found;
}

static const struct symbol_holder *holder_after(const struct company_search *s)
{
    for (size_t i = 0; i < s->holder_count; i++)
        if (s->holders[i].from > s->day)
            return s->holders[i].from - s->day <= COMPANY_LAG_DAYS ? &s->holders[i] : NULL;
    return NULL;
}

static bool find_in_files(
    const struct company_search *s, const struct company_import *imported, struct company *ret)
{
    const struct symbol_entry *line = line_on(s);
    if (!line) {
        const struct symbol_holder *holder = holder_on(s);
        line = line_before(s);
        if (holder && line && !names_agree(line->company, holder->company))
            line = NULL;
        if (!line && !holder)
            holder = holder_before(s);
        if (!line && !holder)
            holder = holder_after(s);
        if (!line && !holder)
            return false;
        if (!line) {
            *ret = from_holder(holder, imported);
            return true;
        }
    }
    *ret = from_line(line);
    return true;
}

bool company_on(
    struct str symbol, int32_t day, const struct company_import *imported, struct company *ret)
{
    struct company_search s = search_of(symbol, day);
    if (find_in_files(&s, imported, ret))
        return true;
    bool listed = s.line_count + s.holder_count > 0;
    if (!imported || (listed && day <= symbol_holders_day()))
        return false;
    *ret = from_import(symbol, imported);
    return true;
}

/* --- all days */

/* Leaves the days of the holder that no line has; false: none, or a line is the same company. */
static bool clip(const struct company_search *s, struct company *holder)
{
    for (size_t i = 0; i < s->line_count; i++) {
        const struct symbol_entry *line = &s->lines[i];
        bool same = names_agree(line->company, holder->name);
        int32_t lag = same ? COMPANY_LAG_DAYS : 0;
        bool line_earlier = line->to != DAY_NONE && (int64_t)line->to + lag < holder->from;
        bool line_later = holder->to != DAY_NONE && (int64_t)line->from - lag > holder->to;
        if (line_earlier || line_later)
            continue;
        if (same)
            return false;
        if (line->to != DAY_NONE)
            holder->from = line->to + 1;
        else if (line->from != DAY_NONE)
            holder->to = line->from - 1;
        else
            return false;
        if (holder->to != DAY_NONE && holder->to < holder->from)
            return false;
    }
    return true;
}

static int time_order(const void *a, const void *b)
{
    const struct company *x = a, *y = b;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : 0;
}

/* The lists show some companies for up to a year after their symbol ended. Drops a holder that is
 * such a trace of the line before it; returns the number that remain. */
static size_t drop_late_holders(struct company *companies, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const struct company *last = kept ? &companies[kept - 1] : NULL;
        const struct company *next = &companies[i];
        bool late = last && last->basis == COMPANY_CURATED && next->basis == COMPANY_HOLDER &&
                    last->to != DAY_NONE && next->to != DAY_NONE &&
                    next->from - last->to <= LATE_LIST_DAYS && names_agree(last->name, next->name);
        if (!late)
            companies[kept++] = *next;
    }
    return kept;
}

size_t company_all(
    struct str symbol, const struct company_import *imported,
    struct company ret[static COMPANIES_MAX])
{
    struct company_search s = search_of(symbol, DAY_NONE);
    size_t n = 0;
    bool open = false;
    for (size_t i = 0; i < s.line_count && n < COMPANIES_MAX; i++)
        ret[n++] = from_line(&s.lines[i]);
    for (size_t i = 0; i < s.holder_count && n < COMPANIES_MAX; i++) {
        ret[n] = from_holder(&s.holders[i], imported);
        n += clip(&s, &ret[n]);
    }
    for (size_t i = 0; i < n; i++)
        open |= ret[i].to == DAY_NONE;
    if (n)
        qsort(ret, n, sizeof *ret, time_order);
    n = drop_late_holders(ret, n);
    if (!open && imported && n < COMPANIES_MAX) {
        ret[n] = from_import(symbol, imported);
        ret[n].from = n ? symbol_holders_day() + 1 : DAY_NONE;
        n++;
    }
    return n;
}

/* --- by name */

struct company_listing {
    struct str key; /* first, for equal_range */
    struct str symbol;
    int64_t cik; /* 0: not known */
};

static struct {
    struct arena arena;
    struct company_listing *items;
    size_t count;
} names;

static int key_order(const void *a, const void *b)
{
    const struct company_listing *x = a, *y = b;
    int order = str_cmp(x->key, y->key);
    return order ? order : str_cmp(x->symbol, y->symbol);
}

/* IBM.MX is the symbol of another exchange, BRK.B a class. */
static bool is_of_exchange(struct str symbol)
{
    ptrdiff_t dot = str_find_char(symbol, '.');
    return dot >= 0 && symbol.n - (size_t)dot > 2;
}

static void add_name(struct str company, struct str symbol, int64_t cik)
{
    char space[COMPANY_NAME_KEY_MAX];
    struct str key = company_name_key(company, space);
    if (key.n && !is_of_exchange(symbol))
        names.items[names.count++] =
            (struct company_listing){arena_str(&names.arena, key), symbol, cik};
}

static void read_names(void)
{
    size_t lines, holders;
    const struct symbol_entry *line = industry_symbols(&lines);
    const struct symbol_holder *holder = symbol_holders(&holders);
    arena_init(&names.arena);
    names.items = arena_alloc(&names.arena, (lines + holders) * sizeof *names.items);
    for (size_t i = 0; i < lines; i++)
        add_name(line[i].company, line[i].symbol, 0);
    for (size_t i = 0; i < holders; i++)
        add_name(holder[i].company, holder[i].symbol, holder[i].cik);
    qsort(names.items, names.count, sizeof *names.items, key_order);
}

static void add_company(struct company *ret, size_t *n, const struct company *company)
{
    for (size_t i = 0; i < *n && i < COMPANIES_MAX; i++)
        if (str_eq(ret[i].symbol, company->symbol))
            return;
    if (*n < COMPANIES_MAX)
        ret[*n] = *company;
    ++*n;
}

/* What the company of that number is listed as on the day: FB's, META. */
static void add_renamed(int64_t cik, int32_t day, struct company *ret, size_t *n)
{
    size_t count;
    struct company company;
    const struct symbol_holder *holder = symbol_holders(&count);
    for (size_t i = 0; i < count; i++)
        if (holder[i].cik == cik && days_include(holder[i].from, holder[i].to, day) &&
            company_on(holder[i].symbol, day, NULL, &company))
            add_company(ret, n, &company);
}

/* The number of the company of a line: that of the symbol's only holder before its end. */
static int64_t cik_of(struct str symbol)
{
    size_t count;
    const struct symbol_holder *holders = symbol_holders_of(symbol, &count);
    return count ? holders->cik : 0;
}

/* The one symbol that stands for all of them; NULL: none. */
static const struct company *main_of(const struct company *all, size_t n)
{
    const struct company *brief = all, *curated = NULL;
    size_t begun = 0, lines = 0;
    for (size_t i = 1; i < n; i++)
        if (all[i].symbol.n < brief->symbol.n)
            brief = &all[i];
    for (size_t i = 0; i < n; i++) {
        struct str symbol = all[i].symbol;
        begun += &all[i] == brief ||
                 (str_starts(symbol, brief->symbol) &&
                  (symbol.p[brief->symbol.n] == '.' || symbol.p[brief->symbol.n] == '-'));
        if (all[i].basis == COMPANY_CURATED && ++lines)
            curated = &all[i];
    }
    return begun == n ? brief : lines == 1 ? curated : NULL;
}

size_t company_named(struct str name, int32_t day, struct company ret[static COMPANIES_MAX])
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    char space[COMPANY_NAME_KEY_MAX];
    struct company company;
    size_t found, n = 0;
    pthread_once(&once, read_names);
    struct str key = company_name_key(name, space);
    const struct company_listing *named =
        equal_range(names.items, names.count, sizeof *names.items, key, &found);
    for (size_t i = 0; key.n && i < found; i++) {
        char other[COMPANY_NAME_KEY_MAX];
        int64_t cik = named[i].cik ? named[i].cik : cik_of(named[i].symbol);
        if (company_on(named[i].symbol, day, NULL, &company) &&
            (str_eq(company_name_key(company.name, other), key) ||
             company_name_compare(company.name, name) == COMPANY_NAME_SAME))
            add_company(ret, &n, &company);
        else if (cik)
            add_renamed(cik, day, ret, &n);
    }
    if (n < 2 || n > COMPANIES_MAX)
        return n > COMPANIES_MAX ? 0 : n;
    const struct company *only = main_of(ret, n);
    if (!only)
        return n;
    ret[0] = *only;
    return 1;
}

bool company_knows_symbol(struct str symbol)
{
    struct company_search s = search_of(symbol, DAY_NONE);
    return s.line_count + s.holder_count > 0;
}
