/* Names of companies as lists and filers spell them. */
#include "unit.h"

#include <string.h>

#include "market/company_name.h"

struct pair {
    const char *a, *b;
};

static void check(const struct pair *pairs, size_t n, enum company_name expected)
{
    for (size_t i = 0; i < n; i++) {
        struct str a = str_from(pairs[i].a), b = str_from(pairs[i].b);
        enum company_name there = company_name_compare(a, b), back = company_name_compare(b, a);
        if (there != expected || back != expected)
            fail_msg("%s | %s: %d and %d", pairs[i].a, pairs[i].b, there, back);
    }
}

#define CHECK(expected, ...)                                                                       \
    do {                                                                                           \
        static const struct pair pairs[] = {__VA_ARGS__};                                          \
        check(pairs, sizeof pairs / sizeof *pairs, expected);                                      \
    } while (0)

static void legal_forms_and_kinds_of_share_do_not_count(void **state)
{
    CHECK(
        COMPANY_NAME_SAME, {"Baxter International", "Baxter International Inc."},
        {"BANK OF AMERICA CORP COM", "Bank of America Corporation"},
        {"Alphabet Inc. - Class C Capital Stock", "Alphabet Inc."},
        {"Toyota Motor Corporation American Depositary Shares", "Toyota Motor Corporation"},
        {"Taiwan Semiconductor ADR each representing five shares", "TAIWAN SEMICONDUCTOR CO LTD"},
        {"The Walt Disney Company", "Walt Disney Co"},
        {"iShares S&P 100 ETF", "iShares S&P 100 Fund"},
        {"SCHWAB CHARLES CORP", "The Charles Schwab Corporation"});
}

static void spelling_does_not_count(void **state)
{
    CHECK(
        COMPANY_NAME_SAME, {"JP Morgan Chase", "JPMorgan Chase & Co."},
        {"McDonalds Corp", "McDonald's Corporation"}, {"Nestle SA", "Nestl\xc3\xa9 S.A."},
        {"AT & T Inc", "AT&T Inc."}, {"Thermo Fisher Scientific Intl", "Thermo Fisher Scientific"},
        {"Intl Business Machines", "International Business Machines Corporation"},
        {"IBM Corp", "International Business Machines Corporation"},
        {"P&G", "The Procter & Gamble Company"}, {"Facebook", "Facebook, Inc. (Meta Platforms)"},
        {"Exxon", "Exxon Mobil Corporation"}, {"Therealreal Inc", "The RealReal, Inc."});
}

static void one_common_word_is_not_a_company(void **state)
{
    CHECK(
        COMPANY_NAME_OTHER, {"American Airlines Group Inc.", "American Express Company"},
        {"Bank of America Corporation", "The Bank of New York Mellon Corporation"},
        {"United Technologies Corporation", "United Parcel Service, Inc."},
        {"First Republic Bank", "First Solar, Inc."}, {"General Electric Company", "General Mills"},
        {"Twitter, Inc.", "Under Armour, Inc."}, {"Cyngn Inc.", "City National Corporation"},
        {"Via Transportation, Inc.", "Viacom Inc."}, {"Energy", "Duke Energy Corporation"});
}

static void telling_word_in_common_makes_names_near(void **state)
{
    CHECK(
        COMPANY_NAME_NEAR, {"HORTON D R INC /DE/", "D.R. Horton, Inc."},
        {"Legacy Education Inc.", "Legacy Reserves"},
        {"Raytheon Missiles Company", "Raytheon Technologies Corporation"});
}

static void text_without_words_is_like_nothing(void **state)
{
    CHECK(COMPANY_NAME_OTHER, {"", "Apple Inc."}, {"--", "Apple Inc."}, {"\xff\xfe", "Apple Inc."});
    assert_int_equal(company_name_compare(STR_NULL, STR("Apple Inc.")), COMPANY_NAME_OTHER);
    assert_int_equal(company_name_compare(STR("The Group"), STR("The Group")), COMPANY_NAME_SAME);
}

static void every_name_is_the_same_as_itself_and_long_ones_end(void **state)
{
    static const char *const names[] = {"A", "3M", "AT&T", "The Company", "O'Reilly Automotive"};
    char text[2000];
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct str name = str_from(names[i]);
        assert_int_equal(company_name_compare(name, name), COMPANY_NAME_SAME);
    }
    memset(text, 'x', sizeof text);
    struct str all = str_of(text, sizeof text);
    assert_int_equal(company_name_compare(all, all), COMPANY_NAME_OTHER);
    for (size_t i = 1; i < 399; i += 2)
        text[i] = ' ';
    struct str many = str_of(text, 399);
    assert_int_equal(company_name_compare(many, many), COMPANY_NAME_SAME);
}

static void key_has_what_tells_a_name(void **state)
{
    static const struct {
        const char *name, *key;
    } cases[] = {
        {"Apple Inc.", "apple"},
        {"APPLE INC COMMON STOCK", "apple"},
        {"Johnson & Johnson", "johnson johnson"},
        {"Johnson and Johnson Inc", "johnson johnson"},
        {"ALPHABET INC. CMN CLASS A", "alphabet"},
        {"Meta Platforms, Inc. (Facebook until 2021)", "meta platforms"},
        {"AMER EXPRESS CO UNSOLICITED TRADE", "american express"},
        {"Philip Morris Intl", "philip morris international"},
        {"Inc.", ""},
        {"", ""},
    };
    char space[COMPANY_NAME_KEY_MAX];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_str(company_name_key(str_from(cases[i].name), space), cases[i].key);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(key_has_what_tells_a_name),
        cmocka_unit_test(legal_forms_and_kinds_of_share_do_not_count),
        cmocka_unit_test(spelling_does_not_count),
        cmocka_unit_test(one_common_word_is_not_a_company),
        cmocka_unit_test(telling_word_in_common_makes_names_near),
        cmocka_unit_test(text_without_words_is_like_nothing),
        cmocka_unit_test(every_name_is_the_same_as_itself_and_long_ones_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
