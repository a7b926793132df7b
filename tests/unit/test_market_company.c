/* The company of a symbol on a day, from the lists of the program and an imported one. The last
 * tests compare the lists with each other: no line claims a day of another company. */
#include "arena_fixture.h"
#include "day_from.h"

#include "base/csv_in.h"
#include "market/company.h"
#include "market/company_name.h"
#include "market/industry.h"
#include "market/symbol_holder.h"
#include "source_file.h"

/* `name`: how the company's name begins; NULL: no company is known. */
static struct company assert_means(const char *symbol, const char *on, const char *name)
{
    struct company company = {.name = STR_NULL};
    bool found = company_on(str_from(symbol), day_from(on), NULL, &company);
    if (found != (name != NULL) || (name && !str_starts(company.name, str_from(name))))
        fail_msg("%s on %s: \"%.*s\"", symbol, on, STR_ARG(company.name));
    return company;
}

/* --- one day */

static void reused_symbols_mean_the_company_of_their_day(void **state)
{
    static const struct {
        const char *symbol, *before, *company, *after, *other;
    } cases[] = {
        {"VIA", "2019-12-04", "Viacom", "2026-11-22", "Via Transportation"},
        {"CYN", "2015-06-01", "City National", "2026-11-22", "Cyngn"},
        {"SLE", "2012-05-01", "Sara Lee", "2026-11-22", "Super League"},
        {"FIT", "2021-01-14", "Fitbit", "2026-11-22", NULL},
        {"KCG", "2017-07-20", "KCG Holdings", "2026-11-22", NULL},
        {"CONE", "2022-03-24", "CyrusOne", "2026-11-22", "Compass"},
        {"LGCY", "2019-05-01", "Legacy Reserves", "2026-11-22", "Legacy Education"},
        {"RPT", "2023-12-29", "RPT Realty", "2026-11-22", "Rithm"},
        {"ARIS", "2025-10-14", "Aris Water", "2026-11-22", "Aris Mining"},
        {"CPWR", "2014-12-01", "Compuware", "2026-11-22", "Ocean Thermal"},
        {"CSC", "2017-03-31", "Computer Sciences", "2026-11-22", NULL},
        {"CTAA", "2020-05-01", "Qwest", "2026-11-22", "Clearthink"},
        {"AVX", "2020-03-30", "AVX Corporation", "2026-11-22", "AVAX"},
        {"NTRP", "2020-11-30", "Neurotrope", "2026-11-22", "NextTrip"},
        {"FB", "2022-06-08", "Facebook", "2026-11-22", "ProShares"},
        {"META", "2021-12-01", "Roundhill", "2022-06-09", "Meta Platforms"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_means(cases[i].symbol, cases[i].before, cases[i].company);
        assert_means(cases[i].symbol, cases[i].after, cases[i].other);
    }
}

static void symbol_has_no_company_between_two_holders(void **state)
{
    assert_means("FB", "2024-01-02", NULL);
    assert_means("CYN", "2018-01-02", NULL);
    assert_means("META", "2022-03-15", NULL);
    assert_means("QQBO", "2022-03-15", NULL);
}

static void company_keeps_its_symbol_for_some_days_after_its_end(void **state)
{
    struct company line = assert_means("FB", "2022-06-08", "Facebook");
    struct company late =
        assert_means("FB", "2022-06-15", "Facebook"); /* in the SEC's list as Meta */
    assert_ptr_equal(line.origin, late.origin);
    assert_int_equal(late.basis, COMPANY_CURATED);
    assert_int_equal(late.to, day_from("2022-06-08"));
    assert_means("UTX", "2020-04-14", "United Technologies");
    assert_means("UTX", "2020-06-01", NULL);
}

static void holder_has_the_days_that_lists_show(void **state)
{
    struct company company = assert_means("ALF", "2022-06-01", "Alfi");
    assert_int_equal(company.basis, COMPANY_HOLDER);
    assert_int_equal(company.industry, 0);
    assert_int_equal(company.from, DAY_NONE);
    assert_int_equal(company.to, day_from("2022-11-10"));
    assert_means("ALF", "2022-11-20", "Alfi"); /* the next list is days away */
    assert_means("ALF", "2023-06-01", NULL);
    assert_means("ALF", "2024-05-20", "Centurion"); /* lists are late */
    assert_means("ALF", "2024-08-01", "Centurion");
}

static void imported_list_serves_symbols_that_the_program_lacks(void **state)
{
    const struct company_import acorn = {STR("Acorn Wells"), STR("Oil and gas"), STR("a list")};
    struct company company;
    assert_true(company_on(STR("QQBO"), day_from("2014-01-02"), &acorn, &company));
    assert_int_equal(company.basis, COMPANY_IMPORTED);
    assert_int_equal(company.industry, industry_from_code(STR("oil_gas")));
    assert_ptr_equal(company.origin, &acorn);
    assert_true(company_on(STR("KCG"), symbol_holders_day() + 1, &acorn, &company));
    assert_str(company.name, "Acorn Wells");
    assert_false(company_on(STR("KCG"), symbol_holders_day(), &acorn, &company));
    assert_true(company_on(STR("KCG"), day_from("2016-01-04"), &acorn, &company));
    assert_str(company.name, "KCG Holdings, Inc.");
}

static void holder_takes_the_industry_of_a_list_that_names_the_same_company(void **state)
{
    const struct company_import same = {
        STR("Alfi"), STR("Software and IT services"), STR("a list")};
    const struct company_import other = {STR("Acorn Wells"), STR("Oil and gas"), STR("a list")};
    const struct company_import nameless = {STR_NULL, STR("Oil and gas"), STR("a list")};
    struct company company;
    assert_true(company_on(STR("ALF"), day_from("2022-06-01"), &same, &company));
    assert_int_equal(company.industry, industry_from_code(STR("software")));
    assert_str(company.source, "a list");
    assert_true(company_on(STR("ALF"), day_from("2022-06-01"), &other, &company));
    assert_int_equal(company.industry, 0);
    assert_true(company_on(STR("ALF"), day_from("2022-06-01"), &nameless, &company));
    assert_int_equal(company.industry, 0);
}

/* --- all days */

static void assert_all(const char *symbol, const struct company_import *imported, const char *all)
{
    char space[1024];
    struct buf text = buf_over(space, sizeof space);
    struct company companies[COMPANIES_MAX];
    size_t n = company_all(str_from(symbol), imported, companies);
    for (size_t i = 0; i < n; i++) {
        char from[DAY_TEXT_SIZE], to[DAY_TEXT_SIZE];
        day_print(companies[i].from == DAY_NONE ? 0 : companies[i].from, from);
        day_print(companies[i].to == DAY_NONE ? 0 : companies[i].to, to);
        buf_fmt(
            &text, "%s%.*s %.*s %.*s", i ? "; " : "", STR_ARG(companies[i].name),
            companies[i].from == DAY_NONE ? 1 : DAY_TEXT_SIZE,
            companies[i].from == DAY_NONE ? "-" : from,
            companies[i].to == DAY_NONE ? 1 : DAY_TEXT_SIZE,
            companies[i].to == DAY_NONE ? "-" : to);
    }
    assert_str(buf_view(&text), all);
}

static void each_company_is_listed_once_with_its_time(void **state)
{
    const struct company_import acorn = {STR("Acorn Wells"), STR_NULL, STR("a list")};
    assert_all(
        "FB", NULL,
        "Facebook, Inc. (Meta Platforms, Inc. from October 2021) - 2022-06-08; "
        "ProShares S&P 500 Dynamic Buffer ETF 2026-11-21 -");
    assert_all("AAPL", &acorn, "Apple Inc. - -");
    assert_all("FIT", NULL, "Fitbit, Inc. - 2021-01-14"); /* the lists have it until 2022-01-08 */
    assert_all("CYN", NULL, "City National Corporation - 2015-11-01; Cyngn Inc. 2021-12-26 -");
    assert_all("QQBO", &acorn, "Acorn Wells - -");
    assert_all("QQBO", NULL, "");
    assert_all("KCG", &acorn, "KCG Holdings, Inc. - 2017-07-20; Acorn Wells 2026-11-22 -");
}

/* --- the lists */

static void every_holder_is_complete_and_in_its_place(void **state)
{
    size_t n;
    const struct symbol_holder *holders = symbol_holders(&n);
    assert_true(n > 20000);
    for (size_t i = 0; i < n; i++) {
        const struct symbol_holder *h = &holders[i], *before = i ? &holders[i - 1] : NULL;
        char normal[TICKER_SIZE_MAX];
        struct str symbol = str_of(normal, ticker_normalize(h->symbol, normal));
        bool same = before && str_eq(before->symbol, h->symbol);
        if (!str_eq(symbol, h->symbol) || h->company.n == 0 || h->cik < 0)
            fail_msg("%.*s: an invalid line", STR_ARG(h->symbol));
        if (before && !same && str_cmp(before->symbol, h->symbol) > 0)
            fail_msg("%.*s is not in its place", STR_ARG(h->symbol));
        if (same && (before->to == DAY_NONE || h->from <= before->to))
            fail_msg("%.*s has two holders on a day", STR_ARG(h->symbol));
        if (h->to != DAY_NONE && h->from > h->to)
            fail_msg("%.*s ends before it begins", STR_ARG(h->symbol));
    }
}

/* The pairs of names that look different and are one company, or that are an error of a list. */
static bool is_known_pair(struct str symbol, struct str listed)
{
    struct csv_in csv;
    csv_in_init(&csv, source_file_read(&arena, "tests/unit/same_companies.csv"), &arena);
    while (csv_in_next(&csv))
        if (csv.count == 3 && str_eq(csv.field[0], symbol) && str_eq(csv.field[1], listed))
            return true;
    return false;
}

/* Whether they share a day; the SEC's list is some days late. */
static bool share_a_day(const struct symbol_entry *line, const struct symbol_holder *h)
{
    return (line->to == DAY_NONE || h->from <= line->to) &&
           (h->to == DAY_NONE || line->from <= h->to - COMPANY_LAG_DAYS);
}

/* Whether the line claims a day on which the lists show another company. */
static bool claims_a_day_of(const struct symbol_entry *line, const struct symbol_holder *h)
{
    return share_a_day(line, h) &&
           company_name_compare(line->company, h->company) == COMPANY_NAME_OTHER;
}

static void no_line_claims_a_day_of_another_company(void **state)
{
    size_t n, count, found = 0;
    const struct symbol_entry *lines = industry_symbols(&n);
    for (size_t i = 0; i < n; i++) {
        const struct symbol_holder *holders = symbol_holders_of(lines[i].symbol, &count);
        for (size_t k = 0; k < count; k++) {
            if (!claims_a_day_of(&lines[i], &holders[k]) ||
                is_known_pair(lines[i].symbol, holders[k].company))
                continue;
            print_message(
                "# %.*s: %.*s | %.*s\n", STR_ARG(lines[i].symbol), STR_ARG(lines[i].company),
                STR_ARG(holders[k].company));
            found++;
        }
    }
    assert_int_equal(found, 0);
}

/* Each line with an end, made open-ended: those of reused symbols must be noticed. */
static void line_that_is_wrongly_open_is_noticed(void **state)
{
    static const char *const reused[] = {"VIA", "CYN", "SLE",  "CONE", "RPT",  "CPWR", "CTAA",
                                         "AVX", "FB",  "NTRP", "GK",   "PCLN", "TMH",  "UN"};
    for (size_t i = 0; i < sizeof reused / sizeof *reused; i++) {
        size_t lines, count, noticed = 0;
        struct symbol_entry open = *industry_lines_of(str_from(reused[i]), &lines);
        const struct symbol_holder *holders = symbol_holders_of(open.symbol, &count);
        open.to = DAY_NONE;
        for (size_t k = 0; k < count; k++)
            noticed += claims_a_day_of(&open, &holders[k]);
        if (!noticed)
            fail_msg("%s: an open line passes", reused[i]);
    }
}

/* The lists have no mutual funds, receipts over the counter, foreign exchanges and options. */
static bool is_covered(struct str symbol)
{
    for (size_t i = 0; i < symbol.n; i++)
        if (!ascii_is_alpha(symbol.p[i]))
            return false;
    bool over_the_counter = symbol.n == 5 && str_find_char(STR("FXY"), symbol.p[4]) >= 0;
    return symbol.n <= 5 && !over_the_counter && !str_eq(symbol, STR("BRKB"));
}

static void open_line_has_a_present_holder(void **state)
{
    size_t n, count, found = 0;
    const struct symbol_entry *lines = industry_symbols(&n);
    for (size_t i = 0; i < n; i++) {
        if (lines[i].to != DAY_NONE || !is_covered(lines[i].symbol))
            continue;
        const struct symbol_holder *holders = symbol_holders_of(lines[i].symbol, &count);
        if (count && holders[count - 1].to == DAY_NONE)
            continue;
        print_message("# %.*s: %.*s\n", STR_ARG(lines[i].symbol), STR_ARG(lines[i].company));
        found++;
    }
    assert_int_equal(found, 0);
}

/* --- by name */

/* `symbol`: the only one; NULL: `count` of them. */
static void assert_named(const char *name, const char *on, const char *symbol, size_t count)
{
    struct company companies[COMPANIES_MAX];
    size_t n = company_named(str_from(name), day_from(on), companies);
    if (n != (symbol ? 1 : count) || (symbol && !str_eq(companies[0].symbol, str_from(symbol))))
        fail_msg("%s on %s: %zu, %.*s", name, on, n, STR_ARG(n ? companies[0].symbol : STR("")));
}

static void name_finds_the_company_of_the_day(void **state)
{
    assert_named("Apple Inc", "2020-03-02", "AAPL", 1);
    assert_named("FACEBOOK INC CLASS A COMMON STOCK", "2020-02-27", "FB", 1);
    assert_named("Facebook, Inc.", "2023-02-27", "META", 1); /* under its former name */
    assert_named("Alphabet Inc.", "2020-03-02", NULL, 2);
    assert_named("Bramble Foods", "2020-03-02", NULL, 0);
    assert_named("Inc", "2020-03-02", NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(name_finds_the_company_of_the_day),
        cmocka_unit_test(reused_symbols_mean_the_company_of_their_day),
        cmocka_unit_test(symbol_has_no_company_between_two_holders),
        cmocka_unit_test(company_keeps_its_symbol_for_some_days_after_its_end),
        cmocka_unit_test(holder_has_the_days_that_lists_show),
        cmocka_unit_test(imported_list_serves_symbols_that_the_program_lacks),
        cmocka_unit_test(holder_takes_the_industry_of_a_list_that_names_the_same_company),
        cmocka_unit_test(each_company_is_listed_once_with_its_time),
        cmocka_unit_test(every_holder_is_complete_and_in_its_place),
        cmocka_unit_test(no_line_claims_a_day_of_another_company),
        cmocka_unit_test(line_that_is_wrongly_open_is_noticed),
        cmocka_unit_test(open_line_has_a_present_holder),
    };
    return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}
