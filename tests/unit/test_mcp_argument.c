/* Arguments of tools: accepted values, and the sentences for others. */
#include "unit.h"

#include "base/instant.h"
#include "mcp/argument.h"
#include "mcp/tool.h"

static struct argument_value values[ARGUMENTS_MAX];

/* The complaint about these arguments of a tool; "" if they are valid. The text is static. */
static const char *complaint(const char *tool, const char *json)
{
    static char text[600];
    struct buf b = buf_over(text, sizeof text - 1);
    json_t *object = json_loads(json, 0, NULL);
    assert_non_null(object);
    bool taken = arguments_read(tool_named(str_from(tool))->arguments, object, values, &b);
    assert_int_equal(taken, b.n == 0);
    text[b.n] = '\0';
    json_decref(object);
    return text;
}

static void valid_arguments_are_accepted(void **state)
{
    static const struct {
        const char *tool, *json;
    } cases[] = {
        {"list_trades", "{}"},
        {"list_trades", "{\"ticker\":\"aapl\",\"politician_slug\":\"jane-doe\","
                        "\"chamber\":\"senate\",\"since\":\"2026-11-01T00:00:00+01:00\","
                        "\"limit\":100,\"cursor\":\"x\"}"},
        {"list_trades", "{\"ticker\":null,\"chamber\":\"\",\"since\":\"\",\"limit\":null}"},
        {"list_trades", "{\"limit\":\"\"}"},
        {"list_trades", "{\"limit\":1}"},
        {"list_trades", "{\"limit\":25.0}"},
        {"list_trades", "{\"since\":\"2020-03-01\",\"until\":\"2020-03-31\"}"},
        {"list_trades", "{\"since\":\"2020-03-01\",\"until\":\"2020-03-01\"}"},
        {"list_trades", "{\"traded_from\":\"2020-03-01\",\"traded_to\":\"2020-03-01\"}"},
        {"list_trades", "{\"chamber\":\"Senate\",\"side\":\"BUY\",\"conflict\":\"True\"}"},
        {"list_trades", "{\"traded_from\":\"2020-03-01\",\"amount_min\":0,\"conflict\":false}"},
        {"find_politician", "{\"name\":\"x\",\"max_pages\":8}"},
        {"get_conflicted_trades", "{\"max_pages\":5}"},
        {"get_coverage", "{}"},
        {"get_ticker", "{\"symbol\":\"BRK.B\"}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (*complaint(cases[i].tool, cases[i].json))
            fail_msg("%s: %s", cases[i].json, complaint(cases[i].tool, cases[i].json));
}

static void complaint_names_the_argument_and_its_bound(void **state)
{
    static const struct {
        const char *tool, *json, *complaint;
    } cases[] = {
        {"list_trades", "{\"limit\":101}", "limit must be an integer from 1 to 100."},
        {"list_trades", "{\"limit\":0}", "limit must be an integer from 1 to 100."},
        {"list_trades", "{\"limit\":-9223372036854775808}",
         "limit must be an integer from 1 to 100."},
        {"list_trades", "{\"limit\":2.5}", "limit must be an integer from 1 to 100."},
        {"list_trades", "{\"limit\":1e300}", "limit must be an integer from 1 to 100."},
        {"list_trades", "{\"limit\":\"25\"}", "limit must be an integer from 1 to 100."},
        {"list_trades", "{\"limit\":true}", "limit must be an integer from 1 to 100."},
        {"list_trades", "{\"chamber\":\"Both\"}", "chamber must be house or senate."},
        {"list_trades", "{\"chamber\":1}", "chamber must be house or senate."},
        {"list_trades", "{\"since\":\"November\"}",
         "since must be a date, or an ISO 8601 instant with an offset, for example 2026-11-01."},
        {"list_trades", "{\"since\":\"2026-11-01T08:12:60Z\"}",
         "since must be a date, or an ISO 8601 instant with an offset, for example 2026-11-01."},
        {"list_trades", "{\"since\":\"2026-02-30\"}",
         "since must be a date, or an ISO 8601 instant with an offset, for example 2026-11-01."},
        {"list_trades", "{\"traded_from\":\"2026-11-01T00:00:00Z\"}",
         "traded_from must be a date, for example 2020-03-01."},
        {"list_trades", "{\"traded_to\":\"2020-03\"}",
         "traded_to must be a date, for example 2020-03-31."},
        {"list_trades", "{\"traded_from\":\"2020-04-01\",\"traded_to\":\"2020-03-31\"}",
         "traded_from must not be after traded_to."},
        {"list_corrections", "{\"since\":\"2026-11-02\",\"until\":\"2026-11-01T12:00:00Z\"}",
         "since must not be after until."},
        {"list_trades", "{\"state\":\"Texas\"}",
         "state must be a two-letter code, for example VT."},
        {"list_trades", "{\"politician_slug\":\"Jane Doe\"}",
         "politician_slug must be a slug, which find_politician finds for a name, for example "
         "jane-doe."},
        {"list_corrections", "{\"politician_slug\":5}",
         "politician_slug must be a slug, which find_politician finds for a name, for example "
         "jane-doe."},
        {"list_trades", "{\"conflict\":\"yes\"}", "conflict must be true or false."},
        {"list_trades", "{\"conflict\":1}", "conflict must be true or false."},
        {"list_trades", "{\"amount_min\":-1}",
         "amount_min must be an integer from 0 to 1000000000, for example 250001."},
        {"list_trades", "{\"ticker\":[\"A\"]}",
         "ticker must be a string of at most 1600 characters, for example AAPL."},
        {"get_ticker", "{\"symbol\":\"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\"}",
         "symbol must be a string of at most 32 characters, for example AAPL."},
        {"list_trades", "{\"politician\":\"x\"}",
         "\"politician\" is not an argument of this tool; it takes ticker, politician_slug, "
         "chamber, party, state, side, owner, asset_type, amount_min, traded_from, traded_to, "
         "since, until, late, basis, grade, sector, seat, flag_industry, flag_committee, filing, "
         "conflict, limit, cursor, "
         "fields."},
        {"get_coverage", "{\"x\":1}", "\"x\" is not an argument of this tool; it takes none."},
        {"find_politician", "{\"name\":\"x\",\"max_pages\":9}",
         "max_pages must be an integer from 1 to 8."},
        {"get_conflicted_trades", "{\"max_pages\":6}", "max_pages must be an integer from 1 to 5."},
        {"find_politician", "{}",
         "name is required: a string of at most 200 characters, for example Bob Smith."},
        {"get_politician", "{\"slug\":null}",
         "slug is required: a string of at most 120 characters, for example jane-doe."},
        {"get_politician", "{\"slug\":\"\"}",
         "slug is required: a string of at most 120 characters, for example jane-doe."},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(complaint(cases[i].tool, cases[i].json), cases[i].complaint);
}

static void length_is_counted_in_characters(void **state)
{
    char json[1000];
    struct buf b = buf_over(json, sizeof json);
    buf_str(&b, STR("{\"name\":\""));
    for (int i = 0; i < 200; i++)
        buf_str(&b, STR("\xc3\xa9"));
    buf_str(&b, STR("\"}"));
    buf_char(&b, '\0');
    assert_string_equal(complaint("find_politician", json), "");
}

static void absent_integer_has_its_default(void **state)
{
    assert_string_equal(complaint("find_politician", "{\"name\":\"x\"}"), "");
    assert_int_equal(
        argument_value_named(
            tool_named(STR("find_politician"))->arguments, values, STR("max_pages"))
            ->number,
        3);
}

static const struct argument_value *value(const char *json, const char *name)
{
    assert_string_equal(complaint("list_trades", json), "");
    return argument_value_named(tool_named(STR("list_trades"))->arguments, values, str_from(name));
}

/* A plain date is the whole day in UTC: since begins with it, and until, which the API
 * excludes, is the day after it. */
static void plain_date_means_the_whole_day(void **state)
{
    static const struct {
        const char *json, *name, *instant;
    } cases[] = {
        {"{\"since\":\"2020-03-01\"}", "since", "2020-03-01T00:00:00.000Z"},
        {"{\"until\":\"2020-03-31\"}", "until", "2020-04-01T00:00:00.000Z"},
        {"{\"until\":\"9999-12-31\"}", "until", "9999-12-31T23:59:59.999Z"},
        {"{\"since\":\"2020-03-01T00:00:00+01:00\"}", "since", "2020-02-29T23:00:00.000Z"},
        {"{\"until\":\"2020-03-31T12:00:00Z\"}", "until", "2020-03-31T12:00:00.000Z"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[INSTANT_TEXT_SIZE];
        instant_print(value(cases[i].json, cases[i].name)->number, text);
        assert_str(str_of(text, sizeof text), cases[i].instant);
    }
}

static void listed_value_is_spelled_as_the_api_does(void **state)
{
    assert_str(value("{\"side\":\"Sell_Full\"}", "side")->text, "sell_full");
    assert_str(value("{\"conflict\":true}", "conflict")->text, "true");
    assert_str(value("{\"conflict\":\"False\"}", "conflict")->text, "false");
    assert_true(str_is_null(value("{}", "conflict")->text));
}

/* The schema and the checks have the same bounds: both are made from the table. */
static void schema_has_the_same_bounds(void **state)
{
    struct buf b;
    struct json_out j;
    buf_init(&b, SIZE_MAX);
    json_init(&j, &b);
    arguments_schema_json(&j, tool_named(STR("list_trades"))->arguments, NULL);
    json_t *schema = json_loadb(b.p, b.n, 0, NULL);
    json_t *properties = json_object_get(schema, "properties");
    json_t *limit = json_object_get(properties, "limit");
    assert_int_equal(json_object_size(properties), 25);
    assert_int_equal(json_integer_value(json_object_get(limit, "minimum")), 1);
    assert_int_equal(json_integer_value(json_object_get(limit, "maximum")), 100);
    assert_int_equal(json_integer_value(json_object_get(limit, "default")), 25);
    assert_true(json_is_false(json_object_get(schema, "additionalProperties")));
    assert_int_equal(
        json_array_size(json_object_get(json_object_get(properties, "chamber"), "enum")), 2);
    json_decref(schema);
    buf_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(valid_arguments_are_accepted),
        cmocka_unit_test(complaint_names_the_argument_and_its_bound),
        cmocka_unit_test(length_is_counted_in_characters),
        cmocka_unit_test(absent_integer_has_its_default),
        cmocka_unit_test(plain_date_means_the_whole_day),
        cmocka_unit_test(listed_value_is_spelled_as_the_api_does),
        cmocka_unit_test(schema_has_the_same_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
