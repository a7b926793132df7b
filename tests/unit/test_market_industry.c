/* The curated lists of data/ are consistent, and the tables in docs/conflict.md match them. */
#include "arena_fixture.h"
#include "day_from.h"

#include <stdlib.h>
#include <string.h>

#include "base/csv_in.h"
#include "market/congress.h"
#include "market/industry.h"
#include "market/seats_shipped.h"
#include "source_file.h"

extern const char gics_industries_csv[];
extern const size_t gics_industries_csv_size;

static void assert_text(struct str text, struct str where)
{
    if (text.n == 0)
        fail_msg("%.*s: an empty field", STR_ARG(where));
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] < 0x20 || text.p[i] > 0x7e)
            fail_msg("%.*s: not ASCII: %.*s", STR_ARG(where), STR_ARG(text));
    if (!str_eq(str_trim(text), text))
        fail_msg("%.*s: spaces around: %.*s", STR_ARG(where), STR_ARG(text));
}

static void assert_ordered(struct str before, struct str after)
{
    if (str_cmp(before, after) >= 0)
        fail_msg("%.*s does not come before %.*s", STR_ARG(before), STR_ARG(after));
}

/* --- industries */

static void industries_are_sorted_and_fit_one_line(void **state)
{
    for (int i = 1; i <= INDUSTRY_COUNT; i++) {
        const struct industry *industry = industry_get(i);
        assert_text(industry->code, industry->code);
        assert_text(industry->name, industry->code);
        assert_text(industry->definition, industry->code);
        assert_true(str_ends(industry->definition, STR(".")));
        for (size_t k = 0; k < industry->code.n; k++)
            assert_true(
                industry->code.p[k] == '_' ||
                (industry->code.p[k] >= 'a' && industry->code.p[k] <= 'z'));
        if (i > 1)
            assert_ordered(industry_get(i - 1)->code, industry->code);
        assert_int_equal(industry_from_code(industry->code), i);
        assert_int_equal(industry_from_name(industry->name), i); /* names are unique */
    }
    assert_int_equal(industry_from_code(STR("-")), 0);
    assert_int_equal(industry_from_name(STR("oil and gas")), 0);
}

static void rule_version_names_rule_and_lists(void **state)
{
    struct str version = industry_rule_version();
    assert_true(str_starts(version, STR("4.")));
    assert_int_equal(version.n, 2 + 8);
}

/* --- symbols */

static bool days_overlap(const struct symbol_entry *a, const struct symbol_entry *b)
{
    bool a_before_b = a->to != DAY_NONE && b->from != DAY_NONE && a->to < b->from;
    bool b_before_a = b->to != DAY_NONE && a->from != DAY_NONE && b->to < a->from;
    return !a_before_b && !b_before_a;
}

static void every_symbol_line_is_complete(void **state)
{
    size_t n;
    const struct symbol_entry *entries = industry_symbols(&n);
    for (size_t i = 0; i < n; i++) {
        const struct symbol_entry *entry = &entries[i];
        char normal[TICKER_SIZE_MAX];
        struct str symbol = str_of(normal, ticker_normalize(entry->symbol, normal));
        if (!str_eq(symbol, entry->symbol))
            fail_msg("%.*s is not in normal form", STR_ARG(entry->symbol));
        assert_text(entry->company, entry->symbol);
        assert_text(entry->business, entry->symbol);
        assert_text(entry->source, entry->symbol);
        if (entry->from != DAY_NONE && entry->to != DAY_NONE && entry->from > entry->to)
            fail_msg("%.*s ends before it begins", STR_ARG(entry->symbol));
    }
}

static void symbol_means_one_company_per_day(void **state)
{
    size_t n;
    const struct symbol_entry *entries = industry_symbols(&n);
    for (size_t i = 1; i < n; i++) {
        const struct symbol_entry *before = &entries[i - 1], *entry = &entries[i];
        int order = str_cmp(before->symbol, entry->symbol);
        if (order > 0)
            fail_msg("%.*s is not in its place", STR_ARG(entry->symbol));
        if (order == 0 && (entry->from == DAY_NONE || before->from > entry->from))
            fail_msg("%.*s: its lines are not in order", STR_ARG(entry->symbol));
        if (order == 0 && days_overlap(before, entry))
            fail_msg("%.*s: two lines share a day", STR_ARG(entry->symbol));
    }
}

static void every_line_is_found_on_its_first_and_last_day_and_not_beyond(void **state)
{
    size_t n, dated = 0;
    const struct symbol_entry *entries = industry_symbols(&n);
    for (size_t i = 0; i < n; i++) {
        const struct symbol_entry *entry = &entries[i];
        int32_t from = entry->from == DAY_NONE ? day_from("2012-04-04") : entry->from;
        int32_t to = entry->to == DAY_NONE ? day_from("2040-01-01") : entry->to;
        if (entry->from == DAY_NONE && from > to)
            from = to;
        assert_ptr_equal(industry_of_symbol(entry->symbol, from), entry);
        assert_ptr_equal(industry_of_symbol(entry->symbol, to), entry);
        if (entry->from != DAY_NONE)
            assert_ptr_not_equal(industry_of_symbol(entry->symbol, from - 1), entry);
        if (entry->to != DAY_NONE)
            assert_ptr_not_equal(industry_of_symbol(entry->symbol, to + 1), entry);
        dated += entry->from != DAY_NONE || entry->to != DAY_NONE;
    }
    assert_true(n >= 900);
    assert_true(dated > 0);
}

static void unknown_symbol_has_no_industry(void **state)
{
    static const char *const unknown[] = {"", "0", "AAPL ", "aapl", "NWTB1", "ZZZZZZ", "~"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        assert_null(industry_of_symbol(str_from(unknown[i]), day_from("2024-01-02")));
}

static void former_symbols_and_share_classes_are_listed(void **state)
{
    static const struct {
        const char *symbol, *day, *company;
    } cases[] = {{"FB", "2022-06-08", "Facebook"},        {"TWTR", "2020-02-03", "Twitter"},
                 {"UTX", "2018-05-07", "United Tech"},    {"ATVI", "2021-03-01", "Activision"},
                 {"CELG", "2017-08-09", "Celgene"},       {"BRK.B", "2023-11-01", "Berkshire"},
                 {"META", "2022-06-09", "Meta Platforms"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct symbol_entry *entry =
            industry_of_symbol(str_from(cases[i].symbol), day_from(cases[i].day));
        assert_non_null(entry);
        assert_true(str_starts(entry->company, str_from(cases[i].company)));
    }
    assert_null(industry_of_symbol(STR("FB"), day_from("2022-06-09")));
}

/* --- committees */

static bool oversees(const struct committee_entry *entries, size_t n, int industry)
{
    for (size_t i = 0; i < n; i++)
        if (entries[i].industry == industry)
            return true;
    return false;
}

static void every_committee_line_is_complete(void **state)
{
    size_t n;
    const struct committee_entry *entries = industry_committees(&n);
    for (size_t i = 0; i < n; i++) {
        const struct committee_entry *entry = &entries[i];
        struct str id = entry->committee;
        assert_true(id.n == 4 || id.n == 6);
        for (size_t k = 0; k < id.n; k++)
            assert_true(k < 4 ? id.p[k] >= 'A' && id.p[k] <= 'Z' : ascii_is_digit(id.p[k]));
        assert_text(entry->name, id);
        assert_text(entry->jurisdiction, id);
        assert_text(entry->source, id);
        assert_int_equal(
            entry->ground == GROUND_APPROPRIATIONS, committee_id_is_appropriations(id));
    }
}

/* The rule looks at the day of a list, and keeps a verdict for all trades of one list. */
static void committee_line_begins_and_ends_with_a_congress(void **state)
{
    size_t n;
    const struct committee_entry *entries = industry_committees(&n);
    for (size_t i = 0; i < n; i++) {
        const struct committee_entry *entry = &entries[i];
        if (entry->from != DAY_NONE)
            assert_int_equal(entry->from, congress_first_day(congress_of(entry->from)));
        if (entry->to != DAY_NONE)
            assert_int_equal(entry->to + 1, congress_first_day(congress_of(entry->to + 1)));
    }
}

static void committee_oversees_each_industry_once_or_none_at_all(void **state)
{
    size_t n;
    const struct committee_entry *entries = industry_committees(&n);
    for (size_t i = 1; i < n; i++) {
        const struct committee_entry *before = &entries[i - 1], *entry = &entries[i];
        int order = str_cmp(before->committee, entry->committee);
        assert_true(order <= 0);
        if (order < 0)
            continue;
        if (!str_eq(before->name, entry->name)) { /* a former name of that id */
            for (size_t k = 0; k < i; k++)
                assert_false(
                    str_eq(entries[k].committee, entry->committee) &&
                    str_eq_nocase(entries[k].name, entry->name));
            continue;
        }
        bool later = before->industry == entry->industry && before->to != DAY_NONE &&
                     before->to < entry->from;
        if (before->industry == 0 || (before->industry >= entry->industry && !later))
            fail_msg("%.*s: its industries are not in order", STR_ARG(entry->committee));
    }
}

/* Every name that a list with seats of the committee had since 2012. */
static void every_listed_committee_is_in_the_map(void **state)
{
    size_t n, count;
    const struct seat_span *spans = seats_shipped_all(&count);
    for (size_t i = 0; i < count; i++) {
        struct str name = seats_shipped_name(spans[i].committee, spans[i].from);
        const struct committee_entry *entries = industry_of_committee(spans[i].committee, &n);
        bool found = n > 0 && !committee_id_is_panel(spans[i].committee);
        for (size_t k = 0; k < n; k++)
            found |= str_eq_nocase(entries[k].name, name);
        if (!found)
            fail_msg("%.*s \"%.*s\"", STR_ARG(spans[i].committee), STR_ARG(name));
    }
}

static void committee_is_found_with_all_its_lines(void **state)
{
    size_t n, found;
    const struct committee_entry *entries = industry_committees(&n);
    for (size_t i = 0; i < n; i += found) {
        assert_ptr_equal(industry_of_committee(entries[i].committee, &found), &entries[i]);
        assert_true(found >= 1);
        assert_true(i + found == n || !str_eq(entries[i + found].committee, entries[i].committee));
    }
    industry_of_committee(STR("HSXX"), &found);
    assert_int_equal(found, 0);
    industry_of_committee(STR("ZZZZ"), &found);
    assert_int_equal(found, 0);
}

static void every_subcommittee_has_its_committee(void **state)
{
    size_t n, found;
    const struct committee_entry *entries = industry_committees(&n);
    for (size_t i = 0; i < n; i++) {
        industry_of_committee(str_slice(entries[i].committee, 0, 4), &found);
        if (!found)
            fail_msg("%.*s has no committee", STR_ARG(entries[i].committee));
    }
}

/* The codes that docs/conflict.md lists as overseen by no committee, as "`a`, `b` and `c`". */
static struct str unseen_by_the_docs(void)
{
    struct str text = source_file_read(&arena, "docs/conflict.md");
    ptrdiff_t from = str_find(text, STR("No committee oversees "));
    assert_true(from >= 0);
    text = str_slice(text, (size_t)from + strlen("No committee oversees "), text.n);
    ptrdiff_t to = str_find(text, STR(":"));
    assert_true(to >= 0);
    return str_slice(text, 0, (size_t)to);
}

static void docs_name_the_industries_that_no_committee_oversees(void **state)
{
    char space[1024];
    struct buf quoted = buf_over(space, sizeof space);
    struct str named = unseen_by_the_docs();
    size_t n;
    const struct committee_entry *entries = industry_committees(&n);
    for (int i = 1; i <= INDUSTRY_COUNT; i++) {
        buf_reset(&quoted);
        buf_fmt(&quoted, "`%.*s`", STR_ARG(industry_get(i)->code));
        if (oversees(entries, n, i) == (str_find(named, buf_view(&quoted)) >= 0))
            fail_msg("%.*s: map and docs differ", STR_ARG(industry_get(i)->code));
    }
    assert_false(oversees(entries, n, industry_from_code(STR("funds"))));
    assert_false(oversees(entries, n, industry_from_code(STR("conglomerates"))));
}

static void docs_list_same_industries(void **state)
{
    struct str text = source_file_read(&arena, "docs/conflict.md");
    struct buf table;
    buf_init(&table, 64 * 1024);
    buf_text(&table, "| industry | what belongs to it |\n|---|---|\n");
    for (int i = 1; i <= INDUSTRY_COUNT; i++) {
        const struct industry *industry = industry_get(i);
        buf_fmt(
            &table, "| %.*s (`%.*s`) | %.*s |\n", STR_ARG(industry->name), STR_ARG(industry->code),
            STR_ARG(industry->definition));
    }
    buf_char(&table, '\n');
    assert_true(str_find(text, buf_view(&table)) >= 0);
    buf_finish(&table);
}

/* --- GICS */

static void gics_sub_industry_is_listed_once_and_maps_to_industry_or_none(void **state)
{
    struct csv_in csv;
    struct str before = STR("");
    size_t n = 0, known = 0;
    csv_in_init(&csv, str_of(gics_industries_csv, gics_industries_csv_size), &arena);
    assert_true(csv_in_next(&csv));
    while (csv_in_next(&csv)) {
        int industry = industry_from_code(csv.field[1]);
        assert_text(csv.field[0], csv.field[0]);
        assert_ordered(before, csv.field[0]);
        assert_true(industry || str_eq(csv.field[1], STR("-")));
        assert_int_equal(industry_of_gics(csv.field[0]), industry);
        before = csv.field[0];
        known += industry != 0;
        n++;
    }
    assert_null(csv.error);
    assert_true(known > 50 && n > known);
    assert_int_equal(industry_of_gics(STR("No such sub-industry")), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(industries_are_sorted_and_fit_one_line),
        cmocka_unit_test(rule_version_names_rule_and_lists),
        cmocka_unit_test(every_symbol_line_is_complete),
        cmocka_unit_test(symbol_means_one_company_per_day),
        cmocka_unit_test(every_line_is_found_on_its_first_and_last_day_and_not_beyond),
        cmocka_unit_test(unknown_symbol_has_no_industry),
        cmocka_unit_test(former_symbols_and_share_classes_are_listed),
        cmocka_unit_test(every_committee_line_is_complete),
        cmocka_unit_test(committee_line_begins_and_ends_with_a_congress),
        cmocka_unit_test(committee_oversees_each_industry_once_or_none_at_all),
        cmocka_unit_test(every_listed_committee_is_in_the_map),
        cmocka_unit_test(committee_is_found_with_all_its_lines),
        cmocka_unit_test(every_subcommittee_has_its_committee),
        cmocka_unit_test(docs_name_the_industries_that_no_committee_oversees),
        cmocka_unit_test(docs_list_same_industries),
        cmocka_unit_test(gics_sub_industry_is_listed_once_and_maps_to_industry_or_none),
    };
    return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}
