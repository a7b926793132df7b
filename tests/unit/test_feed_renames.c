#include "unit.h"
#include "day_from.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "feed/renames.h"

static struct renames curated(void)
{
    struct renames r;
    struct fail fail;
    enum err err = renames_parse(str_of(ticker_renames_csv, ticker_renames_csv_size), &r, &fail);
    if (err)
        fail_msg("%s", fail.text);
    return r;
}

/* "SYMBOL SYMBOL ...": all symbols that find a trade in the symbol on that day. */
static void assert_found_under(
    const struct renames *r, const char *symbol, const char *traded, const char *expected)
{
    struct str found[RENAMES_CHAIN_MAX];
    struct buf b;
    buf_init(&b, 256);
    size_t n = renames_successors(r, str_from(symbol), day_from(traded), found);
    for (size_t i = 0; i < n; i++)
        buf_fmt(&b, "%s%.*s", i ? " " : "", STR_ARG(found[i]));
    assert_str(buf_view(&b), expected);
    buf_finish(&b);
}

static void curated_file_is_valid_and_has_at_least_thirty_lines(void **state)
{
    struct renames r = curated();
    assert_true(r.n >= 30);
    for (size_t i = 0; i < r.n; i++)
        assert_true(r.items[i].before > day_from("2012-01-01"));
    renames_finish(&r);
}

static void trade_before_rename_is_found_under_new_symbol(void **state)
{
    struct renames r = curated();
    assert_found_under(&r, "FB", "2022-06-08", "FB META");
    assert_found_under(&r, "FB", "2022-06-09", "FB");
    assert_found_under(&r, "META", "2020-01-02", "META");
    assert_found_under(&r, "NONE", "2020-01-02", "NONE");
    renames_finish(&r);
}

static void renames_are_followed_in_date_order(void **state)
{
    struct renames r = curated();
    assert_found_under(&r, "VIAB", "2019-01-02", "VIAB VIAC PARA PSKY");
    assert_found_under(&r, "VIAC", "2022-02-16", "VIAC PARA PSKY");
    assert_found_under(&r, "PARA", "2025-08-06", "PARA PSKY");
    /* Gardner Denver took the symbol IR on the day on which the old IR gave it up. */
    assert_found_under(&r, "GDI", "2019-05-06", "GDI IR");
    assert_found_under(&r, "IR", "2019-05-06", "IR TT");
    renames_finish(&r);
}

static void predecessors_are_in_order_of_the_day(void **state)
{
    static const char csv[] = "old,new,since,effective,source\n"
                              "BBB,AAA,,2020-03-01,later\n"
                              "CCC,AAA,,2018-03-01,earlier\n"
                              "DDD,CCC,,2016-03-01,a predecessor of a predecessor\n"
                              "AAA,EEE,,2022-03-01,a successor\n";
    const struct rename *found[RENAMES_CHAIN_MAX];
    struct renames r;
    struct fail fail;
    assert_int_equal(renames_parse(str_of(csv, sizeof csv - 1), &r, &fail), OK);
    assert_int_equal(renames_of(&r, STR("AAA"), found), 2);
    assert_str(found[0]->old, "CCC");
    assert_int_equal(found[0]->before, day_from("2018-03-01"));
    assert_str(found[1]->old, "BBB");
    assert_int_equal(renames_of(&r, STR("DDD"), found), 0);
    size_t count;
    const struct rename *from = renames_from(&r, STR("AAA"), &count);
    assert_int_equal(count, 1);
    assert_str(from->new, "EEE");
    renames_from(&r, STR("EEE"), &count);
    assert_int_equal(count, 0);
    renames_finish(&r);
}

static void symbol_with_two_companies_leads_each_to_its_own(void **state)
{
    struct renames r = curated();
    assert_found_under(&r, "FI", "2020-01-02", "FI XPRO"); /* Frank's International */
    assert_found_under(&r, "FI", "2022-01-03", "FI");      /* no holder */
    assert_found_under(&r, "FI", "2024-01-02", "FI FISV"); /* Fiserv */
    assert_found_under(&r, "GOLD", "2018-06-01", "GOLD");  /* Randgold */
    assert_found_under(&r, "ABX", "2018-06-01", "ABX GOLD B");
    renames_finish(&r);
}

static void symbol_that_a_company_takes_again_ends_the_chain(void **state)
{
    struct renames r = curated();
    assert_found_under(&r, "FISV", "2022-01-03", "FISV FI");
    assert_found_under(&r, "FISV", "2023-06-07", "FISV");
    renames_finish(&r);
}

static void assert_refused(const char *lines, const char *reason)
{
    struct buf text;
    struct renames r;
    struct fail fail;
    buf_init(&text, 1024);
    buf_fmt(&text, "old,new,since,effective,source\n%s\n", lines);
    assert_int_equal(renames_parse(buf_view(&text), &r, &fail), ERR_INVALID);
    if (str_find(str_from(fail.text), str_from(reason)) < 0)
        fail_msg("%s", fail.text);
    buf_finish(&text);
}

static void rename_to_itself_and_long_chain_are_refused(void **state)
{
    assert_refused("A,A,,2020-01-01,x", "\"A\" is renamed to itself");
    assert_refused(
        "A,B,,2011-01-01,x\nB,C,,2012-01-01,x\nC,D,,2013-01-01,x\nD,E,,2014-01-01,x\n"
        "E,F,,2015-01-01,x\nF,G,,2016-01-01,x\nG,H,,2017-01-01,x\nH,I,,2018-01-01,x",
        "\"A\" is renamed more than 7 times");
}

static void invalid_line_is_named_in_error(void **state)
{
    static const char *const lines[] = {
        "A,B,,2020-13-01,x",
        "A,B,,2020-01-01",
        "A,B,,2020-01-01, ",
        "A,B",
        "A",
        "A,B,x,2020-01-01,x",
        "A,B,2020-01-01,2020-01-01,x",
        "A,B,2020-01-01,x",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
        assert_refused(lines[i], "line 2");
    assert_refused("brk-b,B,,2020-01-01,x", "is not a symbol");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curated_file_is_valid_and_has_at_least_thirty_lines),
        cmocka_unit_test(trade_before_rename_is_found_under_new_symbol),
        cmocka_unit_test(renames_are_followed_in_date_order),
        cmocka_unit_test(predecessors_are_in_order_of_the_day),
        cmocka_unit_test(symbol_with_two_companies_leads_each_to_its_own),
        cmocka_unit_test(symbol_that_a_company_takes_again_ends_the_chain),
        cmocka_unit_test(rename_to_itself_and_long_chain_are_refused),
        cmocka_unit_test(invalid_line_is_named_in_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
