#include "unit.h"

#include "conflict/tickers_read.h"

static void name_loses_the_description_of_its_shares(void **state)
{
    static const char *const cases[][2] = {
        {"Alder Works, Inc. Common Stock", "Alder Works, Inc."},
        {"Alder Works plc Class A Ordinary Shares", "Alder Works plc"},
        {"Alder Works Inc. - Class A Common Stock", "Alder Works Inc."},
        {"Alder Works Inc. -  common stock ", "Alder Works Inc."},
        {"Alder Works Inc. Class C Capital Stock", "Alder Works Inc."},
        {"Alder Works (Class B)", "Alder Works"},
        {"Alder Global - American Depositary Shares, each representing two common shares",
         "Alder Global"},
        {"Alder Global Limited American Depositary Shares (each representing one share)",
         "Alder Global Limited"},
        {"Alder Credit Fund, Inc. Common Shares of Beneficial Interest", "Alder Credit Fund, Inc."},
        {"Alder Lending, Inc. - Closed End Fund", "Alder Lending, Inc."},
        {"Alder Pipelines LP Common Units", "Alder Pipelines LP"},
        {"ALDER WORKS CORP", "ALDER WORKS CORP"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(tickers_name_clean(str_from(cases[i][0])), cases[i][1]);
}

static void uncertain_name_is_unchanged(void **state)
{
    static const char *const names[] = {
        "Common Stock",
        "Alder Capital Stock",
        "Alder Shares",
        "Alder High Yield Closed End Fund",
        "Alder Merger Corp. Rights, each for one-tenth of one Class A Ordinary Share",
        "Alder Merger Corp. Units, each of one share and one right to one Ordinary Share",
        "Alder Works Inc. Warrants to purchase Common Stock",
        "Alder Merger Corp. - Warrant",
        "Alder Trust 6% Series G Cumulative Preferred Shares of Beneficial Interest",
        "Alder Works Inc. 5.2% Notes due 2061",
        "Alder (Class Action) Corp",
        "Alder Works (Class 9)",
        "",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_str(tickers_name_clean(str_from(names[i])), names[i]);
}

static void fund_must_be_a_complete_word(void **state)
{
    static const char *const funds[] = {
        "Alder Municipal Income Fund", "Alder 20+ Year Bond ETF",
        "Alder Lending, Inc. - Closed End Fund", "ALDER BOND FUND, INC.", "Fund"};
    static const char *const others[] = {
        "Fundamental Alder Corp.",
        "Alder Refunding Inc.",
        "Alder Trust",
        "Alder Fund - Warrants",
        "Alder Bond Fund Rights",
        "Alder Fund Units",
        "Alder \303\251Fund\303\251",
        "",
    };
    for (size_t i = 0; i < sizeof funds / sizeof *funds; i++)
        assert_true(tickers_name_is_fund(str_from(funds[i])));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        assert_false(tickers_name_is_fund(str_from(others[i])));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(name_loses_the_description_of_its_shares),
        cmocka_unit_test(uncertain_name_is_unchanged),
        cmocka_unit_test(fund_must_be_a_complete_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
