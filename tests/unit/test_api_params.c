#include "unit.h"

#include <string.h>

#include "api/params.h"
#include "core/model.h"

static const uint32_t trades_takes = PARAM_BIT(PARAM_TICKER) | PARAM_BIT(PARAM_POLITICIAN) |
                                     PARAM_BIT(PARAM_CHAMBER) | PARAM_BIT(PARAM_SINCE) |
                                     PARAM_BIT(PARAM_LIMIT) | PARAM_BIT(PARAM_CURSOR) |
                                     PARAM_BIT(PARAM_FORMAT);

static struct arena arena;
static struct param_values values;
static struct param_refusal refusal;

static int setup(void **state)
{
    arena_init(&arena);
    return 0;
}

static int teardown(void **state)
{
    arena_finish(&arena);
    return 0;
}

static bool read(uint32_t takes, const char *query)
{
    struct query_pairs pairs;
    enum query_verdict verdict = query_read(str_from(query), &arena, &pairs);
    return params_read(takes, CURSOR_TRADES, &pairs, verdict, &arena, &values, &refusal);
}

static void absent_parameters_have_their_defaults(void **state)
{
    assert_true(read(trades_takes, NULL));
    assert_int_equal(values.at[PARAM_LIMIT].number, 25);
    assert_int_equal(values.at[PARAM_FORMAT].number, PARAM_FORMAT_JSON);
    assert_int_equal(values.at[PARAM_CHAMBER].number, CHAMBER_NONE);
    assert_true(values.at[PARAM_SINCE].number == INSTANT_NONE);
    for (int id = 0; id < PARAM_COUNT; id++)
        assert_true(str_is_null(values.at[id].text));
}

static void good_values_are_read_in_their_normal_form(void **state)
{
    assert_true(read(
        trades_takes, "ticker=brk-b&politician=Ada-Lindqvist&chamber=senate&limit=100&format=csv"
                      "&since=2026-01-01T00:00:00.0001+00:00"));
    assert_str(values.at[PARAM_TICKER].text, "BRK.B");
    assert_str(values.at[PARAM_POLITICIAN].text, "ada-lindqvist");
    assert_int_equal(values.at[PARAM_CHAMBER].number, CHAMBER_SENATE);
    assert_int_equal(values.at[PARAM_LIMIT].number, 100);
    assert_int_equal(values.at[PARAM_FORMAT].number, PARAM_FORMAT_CSV);
    assert_true(values.at[PARAM_SINCE].number == 1767225600001);
}

static void a_bioguide_id_is_upper_case_and_an_invented_one_lower(void **state)
{
    assert_true(read(trades_takes, "politician_slug=l000123"));
    assert_str(values.at[PARAM_POLITICIAN].text, "L000123");
    assert_true(read(trades_takes, "politician_slug=DEMO-0001"));
    assert_str(values.at[PARAM_POLITICIAN].text, "demo-0001");
}

static void chambers_are_numbered_as_the_model_numbers_them(void **state)
{
    const struct param *chamber = param_info(PARAM_CHAMBER);
    for (int i = 1; i < CHAMBER_COUNT; i++)
        assert_true(str_eq(chamber->choices[i - 1], chamber_name((enum chamber)i)));
    assert_true(str_is_null(chamber->choices[CHAMBER_COUNT - 1]));
}

static void what_is_not_accepted_is_named_in_the_hint(void **state)
{
    static const struct {
        const char *query, *hint;
    } cases[] = {
        {"limit=0", "\"limit\" takes an integer from 1 to 100."},
        {"limit=101", "\"limit\" takes an integer from 1 to 100."},
        {"limit=+5", "\"limit\" takes an integer from 1 to 100."},
        {"limit=5.0", "\"limit\" takes an integer from 1 to 100."},
        {"limit=", "\"limit\" takes an integer from 1 to 100."},
        {"limit", "\"limit\" takes an integer from 1 to 100."},
        {"limit=99999999999999999999", "\"limit\" takes an integer from 1 to 100."},
        {"limit=5&limit=5", "\"limit\" is given more than once."},
        {"chamber=House", "\"chamber\" takes house or senate."},
        {"format=xml", "\"format\" takes json or csv."},
        {"ticker=", "\"ticker\" takes 1 to 32 of A-Z a-z 0-9 . - / ^ $."},
        {"ticker=A%20B", "\"ticker\" takes 1 to 32 of A-Z a-z 0-9 . - / ^ $."},
        {"politician_slug=a&politician=a",
         "\"politician_slug\" is given more than once; \"politician\" is another name for it."},
        {"politician_slug=a/b",
         "\"politician_slug\" takes a slug such as ada-lindqvist or an id: letters, digits and -."},
        {"since=2026-01-01",
         "\"since\" takes an ISO 8601 instant with an offset, such as 2026-11-20T08:12:45Z."},
        {"since=2026-02-30T00:00:00Z",
         "\"since\" takes an ISO 8601 instant with an offset, such as 2026-11-20T08:12:45Z."},
        {"tickr=A", "There is no parameter \"tickr\" here; this endpoint takes ticker, "
                    "politician_slug, chamber, since, limit, cursor, format."},
        {"Limit=5", "There is no parameter \"Limit\" here; this endpoint takes ticker, "
                    "politician_slug, chamber, since, limit, cursor, format."},
        {"limit=5&x=%zz",
         "The query string has a % that is not followed by two hexadecimal digits."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(read(trades_takes, cases[i].query));
        assert_int_equal(refusal.error, ERROR_INVALID_PARAMETER);
        assert_str(refusal.hint, cases[i].hint);
    }
}

/* All parameters that extend the contract. */
static const uint32_t more_takes =
    PARAM_BIT(PARAM_UNTIL) | PARAM_BIT(PARAM_TRADED_FROM) | PARAM_BIT(PARAM_TRADED_TO) |
    PARAM_BIT(PARAM_SIDE) | PARAM_BIT(PARAM_OWNER) | PARAM_BIT(PARAM_ASSET_TYPE) |
    PARAM_BIT(PARAM_PARTY) | PARAM_BIT(PARAM_STATE) | PARAM_BIT(PARAM_AMOUNT_MIN) |
    PARAM_BIT(PARAM_CONFLICT) | PARAM_BIT(PARAM_Q);

static void the_filters_beyond_the_contract_are_as_strict(void **state)
{
    static const char *const bad[] = {
        "until=2026-01-01",
        "traded_from=2026-02-30",
        "traded_to=20260101",
        "side=Buy",
        "side=sell",
        "owner=dependent",
        "owner=",
        "asset_type=shares",
        "party=",
        "party=%FF",
        "party=a%0Ab",
        "state=ca",
        "state=CAL",
        "amount_min=-1",
        "amount_min=1.5",
        "amount_min=1000000001",
        "conflict=1",
        "conflict=TRUE",
        "q=",
        "q=%20",
        "q=%2E%2E"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct str name, rest = str_from(bad[i]);
        assert_true(str_split(&rest, '=', &name));
        assert_false(read(more_takes, bad[i]));
        assert_int_equal(refusal.error, ERROR_INVALID_PARAMETER);
        assert_true(str_starts(str_slice(refusal.hint, 1, refusal.hint.n), name));
    }
    assert_true(read(
        more_takes, "until=2026-01-01T00:00:00Z&traded_from=1970-01-02&side=sell_partial"
                    "&owner=child&asset_type=crypto&party=Popular%20Democrat&state=PR"
                    "&amount_min=0&conflict=false&q=Ra%C3%BAl+O'Neil"));
    assert_true(values.at[PARAM_UNTIL].number == 1767225600000);
    assert_int_equal(values.at[PARAM_TRADED_FROM].number, 1);
    assert_int_equal(values.at[PARAM_TRADED_TO].number, DAY_NONE);
    assert_int_equal(values.at[PARAM_SIDE].number, SIDE_SELL_PARTIAL);
    assert_int_equal(values.at[PARAM_OWNER].number, OWNER_CHILD);
    assert_int_equal(values.at[PARAM_ASSET_TYPE].number, ASSET_CRYPTO);
    assert_str(values.at[PARAM_PARTY].text, "Popular Democrat");
    assert_str(values.at[PARAM_STATE].text, "PR");
    assert_int_equal(values.at[PARAM_CONFLICT].number, PARAM_CONFLICT_FALSE);
    assert_str(values.at[PARAM_Q].text, "Ra\xc3\xbal O'Neil");
    assert_true(values.given & PARAM_BIT(PARAM_AMOUNT_MIN));
    assert_false(values.given & PARAM_BIT(PARAM_TRADED_TO));
}

static void a_route_without_parameters_says_so(void **state)
{
    assert_false(read(0, "limit=5"));
    assert_str(refusal.hint, "There is no parameter \"limit\" here; this endpoint takes none.");
    assert_true(read(0, ""));
}

static void an_unknown_name_is_shown_in_part_only(void **state)
{
    char query[2000];
    memset(query, 'n', sizeof query);
    query[sizeof query - 1] = '\0';
    assert_false(read(0, query));
    assert_true(refusal.hint.n < 200);
}

static void cursors_of_another_resource_or_of_none_are_refused(void **state)
{
    char text[CURSOR_TEXT_SIZE_MAX], query[CURSOR_TEXT_SIZE_MAX + 8];
    static const char *const bad[] = {"cursor=", "cursor", "cursor=x", "cursor=AQEAAAGa"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_false(read(trades_takes, bad[i]));
        assert_int_equal(refusal.error, ERROR_INVALID_CURSOR);
    }
    for (int resource = CURSOR_TRADES; resource <= CURSOR_POLITICIANS; resource++) {
        struct buf b = buf_over(text, sizeof text), q = buf_over(query, sizeof query);
        struct cursor cursor = cursor_at((enum cursor_resource)resource, 12345, STR("a-1"));
        cursor_encode(&b, &cursor);
        buf_text(&q, "cursor=");
        buf_str(&q, buf_view(&b));
        buf_char(&q, '\0');
        assert_int_equal(read(trades_takes, query), resource == CURSOR_TRADES);
    }
    assert_int_equal(refusal.error, ERROR_INVALID_CURSOR);
}

static void csv_is_asked_for_by_any_format_pair(void **state)
{
    struct query_pairs pairs;
    query_read(STR("limit=0&format=csv"), &arena, &pairs);
    assert_true(params_want_csv(&pairs));
    query_read(STR("format=CSV&formats=csv"), &arena, &pairs);
    assert_false(params_want_csv(&pairs));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(absent_parameters_have_their_defaults),
        cmocka_unit_test(good_values_are_read_in_their_normal_form),
        cmocka_unit_test(a_bioguide_id_is_upper_case_and_an_invented_one_lower),
        cmocka_unit_test(chambers_are_numbered_as_the_model_numbers_them),
        cmocka_unit_test(what_is_not_accepted_is_named_in_the_hint),
        cmocka_unit_test(the_filters_beyond_the_contract_are_as_strict),
        cmocka_unit_test(a_route_without_parameters_says_so),
        cmocka_unit_test(an_unknown_name_is_shown_in_part_only),
        cmocka_unit_test(cursors_of_another_resource_or_of_none_are_refused),
        cmocka_unit_test(csv_is_asked_for_by_any_format_pair),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
