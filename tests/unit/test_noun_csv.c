#include "unit.h"

#include "noun/csv.h"
#include "noun/details.h"
#include "noun/lists.h"
#include "noun/trade.h"

enum { TEXT_MAX = 1 << 16 };

static const struct trade plain = {
    .id = STR_INIT("house-20026590-0003"),
    .politician =
        {STR_INIT("ada-example"), STR_INIT("Ada Example"), CHAMBER_HOUSE, STR_INIT("Independent"),
         STR_INIT("CA")},
    .values.ticker = STR_INIT("EXMP"),
    .values.asset_name = STR_INIT("Example Inc."),
    .values.asset_type = ASSET_STOCK,
    .values.side = SIDE_BUY,
    .values.bracket = BRACKET_1K_15K,
    .values.trade_date = 20000,
    .disclosed_at = 1763625600123,
    .filing_url = STR_INIT("https://example.org/20026590.pdf"),
    .values.owner = OWNER_SPOUSE,
};

static const struct shape_extra none = {0};

static void put_row(struct buf *b, const struct trade *trade)
{
    struct buf head;
    buf_init(&head, TEXT_MAX);
    shape_trade_head(&head, trade);
    buf_reset(b);
    shape_trade_csv(b, buf_view(&head), &none, false);
    shape_csv_end(b);
    buf_finish(&head);
}

static void header_has_the_columns_of_the_spec(void **state)
{
    struct buf b;
    buf_init(&b, TEXT_MAX);
    shape_trade_csv_header(&b, 0);
    shape_csv_end(&b);
    assert_str(
        buf_view(&b), "id,politician_slug,politician_name,chamber,party,state,ticker,asset_name,"
                      "asset_type,side,amount_bucket,amount_min,amount_max,trade_date,disclosed_at,"
                      "filing_url,owner_type\r\n");
    buf_finish(&b);
}

static void plain_row_has_no_quotes_and_ends_in_crlf(void **state)
{
    struct buf b;
    buf_init(&b, TEXT_MAX);
    put_row(&b, &plain);
    assert_str(
        buf_view(&b), "house-20026590-0003,ada-example,Ada Example,house,Independent,CA,EXMP,"
                      "Example Inc.,stock,buy,1k_15k,1001,15000,2024-10-04,"
                      "2025-11-20T08:00:00.123Z,https://example.org/20026590.pdf,spouse\r\n");
    buf_finish(&b);
}

static void guarded_value_is_no_formula_in_a_spreadsheet(void **state)
{
    static const char *const assets[][2] = {
        {"=HYPERLINK(1)", ",'=HYPERLINK(1),"},
        {"+1", ",'+1,"},
        {"-2", ",'-2,"},
        {"@SUM(A1)", ",'@SUM(A1),"},
        {"=1,\"2\"", ",\"'=1,\"\"2\"\"\","},
        {"A=1", ",A=1,"},
        {"Fund; =HYPERLINK(1)", ",Fund;' =HYPERLINK(1),"},
        {"\xef\xbc\x8b"
         "1",
         ",'\xef\xbc\x8b"
         "1,"},
    };
    struct buf b, head;
    buf_init(&b, TEXT_MAX);
    buf_init(&head, TEXT_MAX);
    for (size_t i = 0; i < sizeof assets / sizeof *assets; i++) {
        struct trade trade = plain;
        trade.values.asset_name = str_from(assets[i][0]);
        buf_reset(&head);
        buf_reset(&b);
        shape_trade_head(&head, &trade);
        shape_trade_csv(&b, buf_view(&head), &none, true);
        assert_true(str_find(buf_view(&b), str_from(assets[i][1])) > 0);
        buf_reset(&b);
        shape_trade_csv(&b, buf_view(&head), &none, false); /* the API's is as it was filed */
        assert_true(str_find(buf_view(&b), STR("'")) < 0);
    }
    buf_finish(&head);
    buf_finish(&b);
}

static void details_are_further_columns(void **state)
{
    struct buf b, head, details;
    buf_init(&b, TEXT_MAX);
    buf_init(&head, TEXT_MAX);
    buf_init(&details, TEXT_MAX);
    shape_trade_head(&head, &plain);
    struct shape_extra extra = {.fields = 1 << SHAPE_FIELDS_DETAILS};
    shape_trade_csv_header(&b, extra.fields);
    assert_true(str_ends(
        buf_view(&b),
        STR(",owner_type,option_type,strike,expiry,coupon,coupon_type,maturity,given,"
            "received,received_ticker,company,platform,description,cap_gains_over_200")));
    buf_reset(&b);
    shape_details_json(
        &details, STR("put, strike 7.50, expires 2025-01-17, description \"a, \"\"b\"\"\""),
        CAP_GAINS_YES);
    extra.details = buf_view(&details);
    shape_trade_csv(&b, buf_view(&head), &extra, false);
    assert_true(
        str_ends(buf_view(&b), STR(",spouse,put,7.50,2025-01-17,,,,,,,,,\"a, \"\"b\"\"\",true")));
    buf_reset(&b);
    extra.details = STR("");
    shape_trade_csv(&b, buf_view(&head), &extra, false);
    assert_true(str_ends(buf_view(&b), STR(",spouse,,,,,,,,,,,,,")));
    buf_reset(&b);
    extra.cap_gains = CAP_GAINS_NO;
    shape_trade_csv(&b, buf_view(&head), &extra, false);
    assert_true(str_ends(buf_view(&b), STR(",spouse,,,,,,,,,,,,,false")));
    buf_finish(&details);
    buf_finish(&head);
    buf_finish(&b);
}

static void dates_are_columns_behind_those_of_details(void **state)
{
    const struct trade_report report = {
        .filed_at = INT64_C(1731513600000),
        .first_published_at = INT64_C(1763625600123),
        .filed = 20040,
        .first_filed = 20040,
        .notified = DAY_NONE};
    const struct shape_extra extra = {
        1 << SHAPE_FIELDS_DETAILS | 1 << SHAPE_FIELDS_DATES, STR(""), CAP_GAINS_NONE, 20000,
        &report};
    struct buf b, head;
    buf_init(&b, TEXT_MAX);
    buf_init(&head, TEXT_MAX);
    shape_trade_head(&head, &plain);
    shape_trade_csv_header(&b, extra.fields);
    assert_true(str_ends(
        buf_view(&b), STR(",platform,description,cap_gains_over_200,filed_on,filed_at,first_"
                          "reported_on,notified_date,due_date,"
                          "days_to_report,days_late,late_status,late_reason,first_published_at")));
    buf_reset(&b);
    shape_trade_csv(&b, buf_view(&head), &extra, false);
    assert_true(str_ends(
        buf_view(&b), STR(",spouse,,,,,,,,,,,,,,2024-11-13,2024-11-13T16:00:00.000Z,2024-11-13,,"
                          "2024-11-18,40,0,on_time,by_due_date,2025-11-20T08:00:00.123Z")));
    buf_finish(&head);
    buf_finish(&b);
}

static void null_and_empty_string_are_both_empty(void **state)
{
    struct trade bare = {
        .id = STR("x-1"),
        .politician = {STR("b"), STR("B"), CHAMBER_SENATE, STR_NULL, STR_NULL},
        .values.asset_name = STR(""),
        .values.side = SIDE_EXCHANGE,
        .values.bracket = BRACKET_OVER_50M,
        .values.trade_date = DAY_NONE,
    };
    struct buf b;
    buf_init(&b, TEXT_MAX);
    put_row(&b, &bare);
    assert_str(
        buf_view(&b),
        "x-1,b,B,senate,,,,,,exchange,over_50m,50000001,,,1970-01-01T00:00:00.000Z,,\r\n");
    buf_finish(&b);
}

static void name_round_trips_and_is_quoted_if_needed(void **state)
{
    static const struct {
        struct str name, field;
    } cases[] = {
        {STR_INIT("Foo, \"Bar\"\r\nBaz"), STR_INIT("\"Foo, \"\"Bar\"\"\\u{D}\nBaz\"")},
        {STR_INIT("a\rb"), STR_INIT("a\\u{D}b")},
        {STR_INIT("a\nb"), STR_INIT("\"a\nb\"")},
        {STR_INIT("\""), STR_INIT("\"\"\"\"")},
        {STR_INIT("back\\slash\ttab"), STR_INIT("back\\slash\ttab")},
        {STR_INIT("\x01\x1f\x7f"), STR_INIT("\\u{1}\\u{1F}\\u{7F}")},
        {STR_INIT("\xc2\x9b"
                  "31m \xe2\x80\xae \xf3\xa0\x81\x81,"),
         STR_INIT("\"\\u{9B}31m \\u{202E} \\u{E0041},\"")},
        {STR_INIT("=1+1; 'x'"), STR_INIT("=1+1; 'x'")},
        {STR_INIT("Caf\xc3\xa9 \xe2\x80\x93 \xf0\x9f\x8f\x9b"),
         STR_INIT("Caf\xc3\xa9 \xe2\x80\x93 \xf0\x9f\x8f\x9b")},
    };
    struct buf b;
    buf_init(&b, TEXT_MAX);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trade trade = plain;
        trade.values.asset_name = cases[i].name;
        put_row(&b, &trade);
        ptrdiff_t before = str_find(buf_view(&b), STR(",EXMP,"));
        ptrdiff_t behind = str_find(buf_view(&b), STR(",stock,buy,"));
        assert_true(before > 0 && behind > before);
        struct str field = str_slice(buf_view(&b), (size_t)before + 6, (size_t)behind);
        assert_true(str_eq(field, cases[i].field));
    }
    buf_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_has_the_columns_of_the_spec),
        cmocka_unit_test(plain_row_has_no_quotes_and_ends_in_crlf),
        cmocka_unit_test(guarded_value_is_no_formula_in_a_spreadsheet),
        cmocka_unit_test(details_are_further_columns),
        cmocka_unit_test(dates_are_columns_behind_those_of_details),
        cmocka_unit_test(null_and_empty_string_are_both_empty),
        cmocka_unit_test(name_round_trips_and_is_quoted_if_needed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
