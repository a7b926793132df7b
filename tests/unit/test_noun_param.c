/* The bounds that a parameter's schema and words name are those of its parser. */
#include "arena_fixture.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "noun/lists.h"
#include "noun/param.h"
#include "rule/event_type.h"
#include "rule/model.h"

static bool takes(const struct param *param, struct str text)
{
    struct param_value value;
    return param_parse(param, text, &arena, &value);
}

static json_t *schema_of(const struct param *param)
{
    struct buf b;
    struct json_out j;
    buf_init(&b, 64 * 1024);
    json_init(&j, &b);
    param_schema(&j, param);
    json_t *schema = json_loadb(b.p, b.n, 0, NULL);
    assert_non_null(schema);
    buf_finish(&b);
    return schema;
}

static int64_t number_of(json_t *schema, const char *name)
{
    json_t *number = json_object_get(schema, name);
    assert_true(json_is_integer(number));
    return json_integer_value(number);
}

static struct str letters(size_t n)
{
    char *text = arena_alloc(&arena, n + 1);
    memset(text, 'a', n);
    return str_of(text, n);
}

static struct str words_of(const struct param *param, char *space, size_t size)
{
    struct buf b = buf_over(space, size);
    param_accepts(&b, param);
    return buf_view(&b);
}

static void longest_text_matches_schema_and_words(void **state)
{
    static const struct {
        enum param_type type;
        size_t size_max;
        const char *in_words;
    } texts[] = {
        {PARAM_TYPE_TICKER, TICKER_SIZE_MAX, "1 to 32"},
        {PARAM_TYPE_SLUG, 100, ""},
        {PARAM_TYPE_PARTY, 100, ""},
        {PARAM_TYPE_SEARCH, 100, "at most 100 bytes"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const struct param param = {.name = STR("p"), .type = texts[i].type};
        char words[200];
        json_t *schema = schema_of(&param);
        assert_int_equal(number_of(schema, "minLength"), 1);
        assert_int_equal(number_of(schema, "maxLength"), texts[i].size_max);
        assert_true(
            str_find(words_of(&param, words, sizeof words), str_from(texts[i].in_words)) >= 0);
        assert_false(takes(&param, letters(0)));
        assert_true(takes(&param, letters(1)));
        assert_true(takes(&param, letters(texts[i].size_max)));
        assert_false(takes(&param, letters(texts[i].size_max + 1)));
        json_decref(schema);
    }
}

static void integer_bounds_match_schema_and_words(void **state)
{
    const struct param param = {.name = STR("p"), .type = PARAM_TYPE_INTEGER, .min = 3, .max = 12};
    char words[200];
    json_t *schema = schema_of(&param);
    assert_int_equal(number_of(schema, "minimum"), 3);
    assert_int_equal(number_of(schema, "maximum"), 12);
    assert_str(words_of(&param, words, sizeof words), "an integer from 3 to 12");
    for (int n = 0; n < 20; n++) {
        char text[8];
        snprintf(text, sizeof text, "%d", n);
        assert_int_equal(takes(&param, str_from(text)), n >= 3 && n <= 12);
    }
    json_decref(schema);
}

static void words_of_an_id_show_the_example_of_the_parameter(void **state)
{
    const struct param filing = {
        .name = STR("filing"), .type = PARAM_TYPE_ID, .example = STR("house-1")};
    const struct param trade = {
        .name = STR("trade_id"), .type = PARAM_TYPE_ID, .example = STR("house-1-0002")};
    char words[200];
    assert_str(
        words_of(&filing, words, sizeof words), "an id such as house-1: letters, digits and -");
    assert_str(
        words_of(&trade, words, sizeof words), "an id such as house-1-0002: letters, digits and -");
}

static int64_t number_for(const struct param *param, struct str text)
{
    struct param_value value;
    return param_parse(param, text, &arena, &value) ? value.number : -1;
}

static void listed_value_may_be_in_any_letter_case(void **state)
{
    const struct param side = {
        .name = STR("side"), .type = PARAM_TYPE_LISTED, .list = &shape_side_filters};
    const struct param home = {
        .name = STR("state"), .type = PARAM_TYPE_LISTED, .list = &shape_states};
    char words[1000];
    assert_int_equal(number_for(&side, STR("BUY")), SIDE_BUY);
    assert_int_equal(number_for(&side, STR("Sell_Full")), SIDE_SELL_FULL);
    assert_int_equal(number_for(&side, STR("sell")), SHAPE_SIDE_SELL);
    assert_int_equal(number_for(&side, STR("sold")), -1);
    assert_int_equal(number_for(&home, STR("vt")), number_for(&home, STR("VT")));
    assert_true(number_for(&home, STR("VT")) > 0);
    assert_int_equal(number_for(&home, STR("ZZ")), -1);
    assert_int_equal(number_for(&home, STR("V")), -1);
    assert_true(str_ends(words_of(&home, words, sizeof words), STR("WI or WY")));
}

static void usual_party_may_be_its_first_letter(void **state)
{
    static const struct {
        struct str text, party;
    } cases[] = {
        {STR_INIT("d"), STR_INIT("Democrat")},
        {STR_INIT("R"), STR_INIT("Republican")},
        {STR_INIT("independent"), STR_INIT("Independent")},
        {STR_INIT("L"), STR_INIT("Libertarian")},
        {STR_INIT("Whig"), STR_INIT("Whig")},
    };
    const struct param param = {.name = STR("party"), .type = PARAM_TYPE_PARTY};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct param_value value;
        assert_true(param_parse(&param, cases[i].text, &arena, &value));
        assert_str(param_party(&value), cases[i].party.p);
        assert_int_equal(value.number == 0, str_eq(cases[i].text, STR("Whig")));
    }
}

static void types_of_events_become_a_set(void **state)
{
    const struct param param = {
        .name = STR("p"), .type = PARAM_TYPE_SET, .list = &shape_event_types};
    struct param_value value;
    json_t *schema = schema_of(&param);
    assert_true(param_parse(&param, STR("trade.withdrawn,trade.published"), &arena, &value));
    assert_int_equal(value.number, 1 << EVENT_TRADE_WITHDRAWN | 1 << EVENT_TRADE_PUBLISHED);
    assert_false(takes(&param, STR("trade.published,trade.published")));
    assert_false(takes(&param, STR("trade.signal")));
    assert_string_equal(
        json_string_value(json_object_get(schema, "pattern")),
        "^(trade\\.published|trade\\.corrected|trade\\.withdrawn|trade\\.reinstated)"
        "(,(trade\\.published|trade\\.corrected|trade\\.withdrawn|trade\\.reinstated))*$");
    json_decref(schema);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(longest_text_matches_schema_and_words),
        cmocka_unit_test(integer_bounds_match_schema_and_words),
        cmocka_unit_test(words_of_an_id_show_the_example_of_the_parameter),
        cmocka_unit_test(listed_value_may_be_in_any_letter_case),
        cmocka_unit_test(usual_party_may_be_its_first_letter),
        cmocka_unit_test(types_of_events_become_a_set),
    };
    return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}
