#include "arena_fixture.h"

#include <string.h>

#include "api/params.h"
#include "api/resources.h"
#include "feed/feed.h"
#include "feed/trade_filter.h"
#include "noun/lists.h"
#include "rule/model.h"

static const struct param_set trades_take = {&trade_filter_params, .paged = true, .csv = true};
static const struct param_set politicians_take = {&feed_people_params, .paged = true};
static const struct param_set nothing;

static struct param_values values;
static struct param_refusal refusal;

static bool read(const struct param_set *takes, const char *query)
{
    struct query_pairs pairs;
    enum query_verdict verdict = query_read(str_from(query), &arena, &pairs);
    return params_read(takes, CURSOR_TRADES, &pairs, verdict, &arena, &values, &refusal);
}

/* The value of a filter of trades. */
static const struct param_value *filter(const char *name)
{
    const struct trade_filter *row = trade_filter_named(str_from(name));
    assert_non_null(row);
    return &values.filters[row - trade_filter_at(0)];
}

static void absent_parameters_have_their_defaults(void **state)
{
    assert_true(read(&trades_take, NULL));
    assert_int_equal(values.page[PAGE_PARAM_LIMIT].number, 25);
    assert_int_equal(values.page[PAGE_PARAM_FORMAT].number, PARAM_FORMAT_JSON);
    for (int id = 0; id < PAGE_PARAM_COUNT; id++)
        assert_true(str_is_null(values.page[id].text));
    for (size_t i = 0; i < trade_filter_params.count; i++)
        assert_true(str_is_null(values.filters[i].text));
}

static void valid_values_are_normalized(void **state)
{
    assert_true(read(
        &trades_take, "ticker=brk-b&politician=Ada-Lindqvist&chamber=senate&limit=100&format=csv"
                      "&since=2026-01-01T00:00:00.0001+00:00"));
    assert_str(filter("ticker")->text, "BRK.B");
    assert_str(filter("politician_slug")->text, "ada-lindqvist");
    assert_int_equal(filter("chamber")->number, CHAMBER_SENATE);
    assert_int_equal(values.page[PAGE_PARAM_LIMIT].number, 100);
    assert_int_equal(values.page[PAGE_PARAM_FORMAT].number, PARAM_FORMAT_CSV);
    assert_true(filter("since")->number == 1767225600001);
    assert_true(read(&trades_take, "traded_from=2026-01-02&traded_to=2026-01-02"));
    assert_true(read(&trades_take, "since=2026-01-01T00:00:00Z&until=2026-01-01T00:00:00Z"));
}

static void bioguide_id_is_upper_case_and_demo_id_lower_case(void **state)
{
    assert_true(read(&trades_take, "politician_slug=l000123"));
    assert_str(filter("politician_slug")->text, "L000123");
    assert_true(read(&trades_take, "politician_slug=DEMO-0001"));
    assert_str(filter("politician_slug")->text, "demo-0001");
}

static void hint_names_the_invalid_parameter(void **state)
{
    static const struct {
        const char *query, *hint;
    } cases[] = {
        {"limit=0", "\"limit\" must be an integer from 1 to 100."},
        {"limit=101", "\"limit\" must be an integer from 1 to 100."},
        {"limit=+5", "\"limit\" must be an integer from 1 to 100."},
        {"limit=5.0", "\"limit\" must be an integer from 1 to 100."},
        {"limit=", "\"limit\" must be an integer from 1 to 100."},
        {"limit", "\"limit\" must be an integer from 1 to 100."},
        {"limit=99999999999999999999", "\"limit\" must be an integer from 1 to 100."},
        {"limit=5&limit=5", "\"limit\" is given more than once."},
        {"chamber=lower", "\"chamber\" must be house or senate."},
        {"format=xml", "\"format\" must be json or csv."},
        {"ticker=", "\"ticker\" must be 1 to 32 characters from A-Z a-z 0-9 . - / ^ $, or up to 50 "
                    "of them with commas between."},
        {"ticker=A%20B", "\"ticker\" must be 1 to 32 characters from A-Z a-z 0-9 . - / ^ $, or up "
                         "to 50 of them with commas between."},
        {"politician_slug=a&politician=a",
         "\"politician_slug\" is given more than once; \"politician\" is an alias of it."},
        {"politician_slug=a/b",
         "\"politician_slug\" must be a slug such as ada-lindqvist or an "
         "id: letters, digits and -, or up to 50 of them with commas between."},
        {"since=2026-01-01",
         "\"since\" must be an ISO 8601 instant with an offset, such as 2026-11-20T08:12:45Z."},
        {"since=2026-11-20T08:12:60Z",
         "\"since\" must be an ISO 8601 instant with an offset, such as 2026-11-20T08:12:45Z."},
        {"since=2026-02-30T00:00:00Z",
         "\"since\" must be an ISO 8601 instant with an offset, such as 2026-11-20T08:12:45Z."},
        {"traded_to=2020-03-31&traded_from=2020-04-01",
         "\"traded_from\" must not be after \"traded_to\"."},
        {"since=2026-11-20T00:00:00.001Z&until=2026-11-20T00:00:00Z",
         "\"since\" must not be after \"until\"."},
        {"limit=5&x=%zz",
         "The query string has a % that is not followed by two hexadecimal digits."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(read(&trades_take, cases[i].query));
        assert_int_equal(refusal.error, ERROR_INVALID_PARAMETER);
        assert_str(refusal.hint, cases[i].hint);
    }
}

static void extension_filters_are_strict_too(void **state)
{
    static const char *const bad[] = {
        "until=2026-01-01",
        "traded_from=2026-02-30",
        "traded_to=20260101",
        "side=sold",
        "owner=dependent",
        "owner=",
        "asset_type=shares",
        "party=",
        "party=%FF",
        "party=a%0Ab",
        "state=zz",
        "state=CAL",
        "amount_min=-1",
        "amount_min=1.5",
        "amount_min=1000000001",
        "conflict=1",
        "conflict=yes"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct str name, rest = str_from(bad[i]);
        assert_true(str_split(&rest, '=', &name));
        assert_false(read(&trades_take, bad[i]));
        assert_int_equal(refusal.error, ERROR_INVALID_PARAMETER);
        assert_true(str_starts(str_slice(refusal.hint, 1, refusal.hint.n), name));
    }
    assert_true(read(
        &trades_take, "until=2026-01-01T00:00:00Z&traded_from=1970-01-02&side=sell_partial"
                      "&owner=child&asset_type=crypto&party=Popular%20Democrat&state=PR"
                      "&amount_min=0&conflict=false"));
    assert_true(filter("until")->number == 1767225600000);
    assert_int_equal(filter("traded_from")->number, 1);
    assert_int_equal(filter("side")->number, SIDE_SELL_PARTIAL);
    assert_int_equal(filter("owner")->number, OWNER_CHILD);
    assert_int_equal(filter("asset_type")->number, ASSET_CRYPTO);
    assert_str(filter("party")->text, "Popular Democrat");
    assert_str(shape_states.name_of((int)filter("state")->number), "PR");
    assert_int_equal(filter("conflict")->number, SHAPE_FALSE);
    assert_str(filter("amount_min")->text, "0");
    assert_true(str_is_null(filter("traded_to")->text));
}

/* The filters of politicians are few; those of trades will grow. */
static void unknown_parameter_hint_lists_the_known_ones(void **state)
{
    assert_false(read(&politicians_take, "tickr=A"));
    assert_str(
        refusal.hint, "\"tickr\" is not a parameter of this endpoint; use one of q, chamber, "
                      "party, state, in_office, has_trades, sort, order, limit, cursor.");
    assert_false(read(&politicians_take, "Limit=5"));
    assert_true(str_starts(refusal.hint, STR("\"Limit\" is not a parameter of this endpoint;")));
}

static void hint_for_a_key_in_the_address_names_the_header(void **state)
{
    static const char *const keys[] = {"api_key=svc_1", "apiKey=svc_1", "limit=5&token=svc_1"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        assert_false(read(&politicians_take, keys[i]));
        assert_true(str_find(refusal.hint, STR("Authorization: Bearer")) >= 0);
        assert_true(str_find(refusal.hint, STR("svc_1")) < 0);
    }
}

static void search_text_is_unchanged_and_needs_a_letter_or_digit(void **state)
{
    static const char *const bad[] = {"q=", "q=%20", "q=%2E%2E"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(read(&politicians_take, bad[i]));
        assert_true(str_starts(refusal.hint, STR("\"q\"")));
    }
    assert_true(read(&politicians_take, "q=Ra%C3%BAl+O'Neil"));
    assert_str(values.filters[0].text, "Ra\xc3\xbal O'Neil");
}

static void text_longer_than_100_bytes_is_invalid(void **state)
{
    char query[128] = "party=";
    memset(query + 6, 'a', 100);
    assert_true(read(&trades_take, query));
    assert_int_equal(filter("party")->text.n, 100);
    query[106] = 'a';
    assert_false(read(&trades_take, query));
}

static void hint_of_operation_without_parameters_says_so(void **state)
{
    assert_false(read(&nothing, "limit=5"));
    assert_str(
        refusal.hint, "\"limit\" is not a parameter of this endpoint; it has no parameters.");
    assert_true(read(&nothing, ""));
}

static void hint_quotes_only_the_beginning_of_a_long_name(void **state)
{
    char query[2000];
    memset(query, 'n', sizeof query);
    query[sizeof query - 1] = '\0';
    assert_false(read(&nothing, query));
    assert_true(refusal.hint.n < 200);
}

static void cursor_of_another_resource_is_invalid(void **state)
{
    char text[CURSOR_TEXT_SIZE_MAX], query[CURSOR_TEXT_SIZE_MAX + 8];
    static const char *const bad[] = {"cursor=", "cursor", "cursor=x", "cursor=AQEAAAGa"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(read(&trades_take, bad[i]));
        assert_int_equal(refusal.error, ERROR_INVALID_CURSOR);
    }
    for (int resource = CURSOR_TRADES; resource <= CURSOR_INDUSTRIES; resource++) {
        struct buf b = buf_over(text, sizeof text), q = buf_over(query, sizeof query);
        struct cursor cursor = cursor_at((enum cursor_resource)resource, 12345, STR("a-1"));
        cursor_encode(&b, &cursor);
        buf_text(&q, "cursor=");
        buf_str(&q, buf_view(&b));
        buf_char(&q, '\0');
        assert_int_equal(read(&trades_take, query), resource == CURSOR_TRADES);
    }
    assert_int_equal(refusal.error, ERROR_INVALID_CURSOR);
}

static void any_format_csv_pair_requests_csv(void **state)
{
    struct query_pairs pairs;
    query_read(STR("limit=0&format=csv"), &arena, &pairs);
    assert_true(params_want_csv(&pairs));
    query_read(STR("format=CSV"), &arena, &pairs);
    assert_true(params_want_csv(&pairs));
    query_read(STR("format=json&formats=csv"), &arena, &pairs);
    assert_false(params_want_csv(&pairs));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absent_parameters_have_their_defaults),
        cmocka_unit_test(valid_values_are_normalized),
        cmocka_unit_test(bioguide_id_is_upper_case_and_demo_id_lower_case),
        cmocka_unit_test(hint_names_the_invalid_parameter),
        cmocka_unit_test(extension_filters_are_strict_too),
        cmocka_unit_test(unknown_parameter_hint_lists_the_known_ones),
        cmocka_unit_test(hint_for_a_key_in_the_address_names_the_header),
        cmocka_unit_test(search_text_is_unchanged_and_needs_a_letter_or_digit),
        cmocka_unit_test(text_longer_than_100_bytes_is_invalid),
        cmocka_unit_test(hint_of_operation_without_parameters_says_so),
        cmocka_unit_test(hint_quotes_only_the_beginning_of_a_long_name),
        cmocka_unit_test(cursor_of_another_resource_is_invalid),
        cmocka_unit_test(any_format_csv_pair_requests_csv),
    };
    return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}
