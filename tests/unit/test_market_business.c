/* The lists of businesses and funds are consistent, and names of futures lead to their commodity.
 */
#include "day_from.h"

#include "market/business.h"
#include "market/commodity.h"
#include "market/company.h"
#include "market/industry.h"

/* Lines of one symbol that share a day are of one span, follow each other, name different
 * industries and are at most three. Together they are no more than the whole. */
static void check_span(const struct business *all, size_t count, size_t first)
{
    int share = 0;
    size_t n = 0;
    for (size_t i = first; i < count && str_eq(all[i].symbol, all[first].symbol); i++) {
        bool same = all[i].from == all[first].from && all[i].to == all[first].to;
        bool apart = all[first].to != DAY_NONE && all[first].to < all[i].from;
        if (!same && !apart)
            fail_msg("%.*s: spans overlap", STR_ARG(all[i].symbol));
        share += same ? all[i].share : 0;
        n += same;
        if (same && i > first && all[i].industry == all[first].industry)
            fail_msg("%.*s: an industry twice", STR_ARG(all[i].symbol));
        if (same && n != i - first + 1)
            fail_msg("%.*s: a span is not together", STR_ARG(all[i].symbol));
    }
    if (share > 100 || n > BUSINESSES_MAX)
        fail_msg("%.*s: %d %% in %zu businesses", STR_ARG(all[first].symbol), share, n);
}

static void businesses_of_a_span_are_at_most_three_and_the_whole(void **state)
{
    for (int funds = 0; funds <= 1; funds++) {
        size_t count, n;
        const struct business *all = business_all(funds, &count);
        assert_true(count > 300);
        for (size_t i = 0; i < count; i++) {
            char normal[TICKER_SIZE_MAX];
            assert_int_equal(ticker_normalize(all[i].symbol, normal), all[i].symbol.n);
            assert_true(i == 0 || str_cmp(all[i - 1].symbol, all[i].symbol) <= 0);
            assert_true(all[i].source.n > 0);
            assert_int_equal(all[i].kind >= BUSINESS_ASSET, funds);
            bool unknown = str_ends(all[i].source, STR("; not known"));
            assert_int_equal(all[i].share > 0, !funds && !unknown);
            assert_true(!unknown || all[i].kind == BUSINESS_MINOR);
            check_span(all, count, i);
            int32_t day = all[i].from == DAY_NONE ? all[i].to : all[i].from;
            const struct business *lines = business_on(all[i].symbol, day, &n);
            assert_true(&all[i] >= lines && &all[i] < lines + n);
        }
    }
}

/* A conglomerate has no industry of its own that leads. Elsewhere the largest business of the list
 * is the company's industry. */
static void largest_business_is_the_industry_of_the_company(void **state)
{
    size_t count, n;
    const struct business *all = business_all(false, &count);
    for (size_t i = 0; i < count; i++) {
        struct company company;
        int32_t day = all[i].to != DAY_NONE     ? all[i].to
                      : all[i].from != DAY_NONE ? all[i].from
                                                : day_from("2024-06-03");
        const struct business *lines = business_on(all[i].symbol, day, &n);
        assert_true(company_on(all[i].symbol, day, NULL, &company));
        if (company.industry != industry_from_code(STR("conglomerates")) &&
            company.industry != lines->industry)
            fail_msg("%.*s", STR_ARG(all[i].symbol));
    }
}

static void business_counts_on_its_days_only(void **state)
{
    size_t n;
    const struct business *lines = business_on(STR("AAPL"), day_from("2022-09-24"), &n);
    assert_int_equal(n, 2);
    assert_int_equal(lines[1].kind, BUSINESS_MINOR);
    lines = business_on(STR("AAPL"), day_from("2022-09-25"), &n);
    assert_int_equal(n, 2);
    assert_int_equal(lines[1].kind, BUSINESS_SECONDARY);
    assert_null(business_on(STR("BTC"), day_from("2024-07-30"), &n));
    assert_int_equal(n, 0);
    assert_int_equal(business_on(STR("BTC"), day_from("2024-07-31"), &n)->kind, BUSINESS_ASSET);
    assert_null(business_on(STR("SPY"), day_from("2024-07-31"), &n));
    assert_null(business_on(STR(""), day_from("2024-07-31"), &n));
}

/* Industry "-": none, and a reason. */
static const struct {
    const char *name, *industry;
} names[] = {
    {"DEC 22 CME CATTLE", "agriculture"},
    {"FEB 23 CME CATTLE", "agriculture"},
    {"MAR 23 CBT CORN", "agriculture"},
    {"DEC 23 CBT CORN", "agriculture"},
    {"JUL 23 CBT CORN", "agriculture"},
    {"CALL MAY 23 CBT CORN", "agriculture"},
    {"MAY 23 CBT CORN", "agriculture"},
    {"Dec 22 CBT Corn", "agriculture"},
    {"Aug 22 CME Cattle", "agriculture"},
    {"Call Dec 22 CBT Corn", "agriculture"},
    {"Oct 22 CME Cattle", "agriculture"},
    {"Jul 22 CBT Corn", "agriculture"},
    {"May 22 CBT Corn", "agriculture"},
    {"Mar 22 CBT Corn", "agriculture"},
    {"June 22 CME Cattle", "agriculture"},
    {"Jun 22 CME Cattle", "agriculture"},
    {"Apr 22 CME Cattle", "agriculture"},
    {"Aug 23 CME Feeder Cattle", "agriculture"},
    {"Oct 21 CME Hogs", "agriculture"},
    {"Call Nov 22 CBT Soybeans", "agriculture"},
    {"PUT MAR 23 CBT SOYBEAN MEAL", "agriculture"},
    {"July 22 KCB Wheat", "agriculture"},
    {"Mar 22 ICE Cotton", "agriculture"},
    {"Dec 21 ICE Sugar", "agriculture"},
    {"Jan 22 CME Lumber", "forest_products"},
    {"Feb 22 NYM Crude Oil", "oil_gas"},
    {"Nov 22 NYMEX Nat Gas", "oil_gas"},
    {"Jun 22 CMX Gold", "mining_metals"},
    {"May 22 COMEX Silver", "mining_metals"},
    {"Jul 22 CMX Copper", "mining_metals"},
    {"Dec 22 CME Bitcoin", "digital_assets"},
    {"Mar 22 CME Micro Ether", "digital_assets"},
    {"Mar 22 CME E-Mini S&P", "-"},
    {"Jun 22 CBT 10 Year T-Note", "-"},
    {"Dec 22 CME Euro", "-"},
    {"Jan 22 CBT Ethanol", "-"},
    {"Sep 22 CBT Widgets", "-"},
    {"CME Group Inc.", "-"},
    {"Goldman Sachs Group", "-"},
    {"Gold and Crude Oil", "-"},
    {"", "-"},
    {"Corner CBT Scorn", "-"},
};

static void words_of_a_future_name_its_industry(void **state)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct str why_not = STR_NULL;
        int industry = commodity_of(str_from(names[i].name), false, &why_not);
        if (industry != industry_from_code(str_from(names[i].industry)) || why_not.n == 0)
            fail_msg("%s: %d, %.*s", names[i].name, industry, STR_ARG(why_not));
    }
}

static void another_class_needs_the_word_of_an_exchange(void **state)
{
    struct str why_not;
    int agriculture = industry_from_code(STR("agriculture"));
    assert_int_equal(commodity_of(STR("Dec 23 CBT Corn"), true, &why_not), agriculture);
    assert_int_equal(commodity_of(STR("Corn"), false, &why_not), agriculture);
    assert_int_equal(commodity_of(STR("Corn Products International"), true, &why_not), 0);
    assert_true(str_is_null(why_not));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(businesses_of_a_span_are_at_most_three_and_the_whole),
        cmocka_unit_test(largest_business_is_the_industry_of_the_company),
        cmocka_unit_test(business_counts_on_its_days_only),
        cmocka_unit_test(words_of_a_future_name_its_industry),
        cmocka_unit_test(another_class_needs_the_word_of_an_exchange),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
