/* Pages of the API: their form, and what is read of each trade. */
#include "unit.h"

#include "mcp/api_page.h"

#define TRADE(signal, politician)                                                                  \
    "{\"id\":\"x\",\"conflictSignal\":" signal ",\"politician\":" politician "}"
#define ADA "{\"slug\":\"ada\",\"name\":\"Ad\\u00e4\",\"party\":null,\"x\":{\"slug\":\"no\"}}"

static void trades_of_a_page_are_read(void **state)
{
    struct api_page page;
    const char *body =
        "{\"x\":{\"data\":[{\"politician\":{\"slug\":\"no\"}}]},\n \"data\": [" TRADE(
            "true", ADA) ",\n" TRADE("false", "[\"slug\"]") ",{}],\"nextCursor\":\"c\\n\"}\n";
    assert_true(api_page_read(str_from(body), &page));
    assert_true(page.is_list && !page.is_one);
    assert_str(page.next_cursor, "c\n");
    assert_int_equal(page.count, 3);
    assert_str(page.items[0].json, TRADE("true", ADA));
    assert_true(page.items[0].conflict);
    assert_str(page.items[0].slug, "ada");
    assert_str(page.items[0].name, "Ad\xc3\xa4");
    assert_true(str_is_null(page.items[0].party));
    assert_str(page.items[1].json, TRADE("false", "[\"slug\"]"));
    assert_false(page.items[1].conflict);
    assert_true(str_is_null(page.items[1].slug));
    assert_str(page.items[2].json, "{}");
    api_page_finish(&page);
}

static void politicians_of_a_page_are_read(void **state)
{
    struct api_page page;
    const char *body = "{\"data\":[{\"slug\":\"ada\",\"name\":\"Ada\",\"chamber\":\"house\","
                       "\"inOffice\":true,\"committees\":[{\"name\":\"no\"},\"no\"]},"
                       "{\"inOffice\":\"true\",\"state\":5,\"conflictReason\":\"r\"}],"
                       "\"nextCursor\":null}";
    assert_true(api_page_read(str_from(body), &page));
    assert_int_equal(page.count, 2);
    assert_str(page.items[0].slug, "ada");
    assert_str(page.items[0].name, "Ada");
    assert_str(page.items[0].chamber, "house");
    assert_true(page.items[0].in_office);
    assert_true(str_is_null(page.items[0].reason));
    assert_false(page.items[1].in_office);
    assert_true(str_is_null(page.items[1].state));
    assert_str(page.items[1].reason, "r");
    api_page_finish(&page);
}

static void resource_without_trades_is_told(void **state)
{
    static const struct {
        const char *body;
        bool no_recent;
    } cases[] = {
        {"{\"data\":{\"recentTrades\":[]}}", true},
        {"{\"data\":{\"profile\":{\"a\":[1]},\"recentTrades\":[ ],\"counts\":{\"a\":1}}}", true},
        {"{\"data\":{\"recentTrades\":[{}]}}", false},
        {"{\"data\":{\"recentTrades\":[{\"recentTrades\":[]}],\"x\":[]}}", false},
        {"{\"data\":{\"recentTrades\":null}}", false},
        {"{\"data\":{\"x\":[]},\"recentTrades\":[]}", false},
        {"{\"x\":{\"recentTrades\":[]},\"data\":{}}", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct api_page page;
        assert_true(api_page_read(str_from(cases[i].body), &page));
        if (page.no_recent != cases[i].no_recent)
            fail_msg("%s", cases[i].body);
        api_page_finish(&page);
    }
}

static void form_of_a_body_is_told(void **state)
{
    static const struct {
        const char *body;
        bool good, one, list;
    } cases[] = {
        {"{\"data\":{\"data\":[1]}}", true, true, false},
        {"{\"data\":[],\"nextCursor\":null}", true, false, true},
        {"{\"nextCursor\":\"\",\"data\":[{}]}", true, false, true},
        {"{\"data\":[]}", true, false, false},
        {"{\"data\":[],\"nextCursor\":1}", true, false, false},
        {"{\"data\":[[{}]],\"nextCursor\":null}", true, false, false},
        {"{\"data\":[{},1],\"nextCursor\":null}", true, false, false},
        {"{}", true, false, false},
        {"[]", false, false, false},
        {"", false, false, false},
        {"{} x", false, false, false},
        {"{\"a\":01}", false, false, false},
        {"{\"a\":\"\xff\"}", false, false, false},
        {"{\"data\":[],\v\"nextCursor\":null}", false, false, false},
        {"{\"data\":[],\"nextCursor\":null}\f", false, false, false},
        {"{\"a\":\"\n\"}", false, false, false},
        {"{\"data\":[],\"data\":{}}", false, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct api_page page;
        bool good = api_page_read(str_from(cases[i].body), &page);
        if (good != cases[i].good ||
            (good && (page.is_one != cases[i].one || page.is_list != cases[i].list)))
            fail_msg("%s", cases[i].body);
        api_page_finish(&page);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trades_of_a_page_are_read),
        cmocka_unit_test(politicians_of_a_page_are_read),
        cmocka_unit_test(resource_without_trades_is_told),
        cmocka_unit_test(form_of_a_body_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
