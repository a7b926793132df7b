/* Pages of events: what is taken from them, and what is refused. */
#include "unit.h"

#include "base/buf.h"
#include "listen/event_page.h"

#define ID "evt_00112233445566ff"
#define EVENT(id, type, body) "{\"id\":\"" id "\",\"event\":\"" type "\",\"body\":" body "}"
#define PAGE(events) "{\"data\":[" events "],\"nextCursor\":null,\"lastCursor\":\"AQ-_9\"}"

static void bodies_are_the_bytes_of_the_page(void **state)
{
    struct event_page page;
    const char *text = "{ \"data\" : [" EVENT(
        ID, "trade.published",
        "{ \"a\":{\"data\":[{}]}, \"b\":[1,\"}\"]}") ",{\"x\":{\"id\":1},\"body\":null,\"event\":"
                                                     "\"a_b.c\",\"id\":\"" ID "\"}"
                                                     "], "
                                                     "\"nextCursor\":\"AQ\",\"more\":[[]],"
                                                     "\"lastCursor\":\"AQ-_9\" }\n";
    assert_true(event_page_read(str_from(text), &page));
    assert_int_equal(page.count, 2);
    assert_str(page.items[0].id, ID);
    assert_str(page.items[0].type, "trade.published");
    assert_str(page.items[0].body, "{ \"a\":{\"data\":[{}]}, \"b\":[1,\"}\"]}");
    assert_str(page.items[1].type, "a_b.c");
    assert_true(str_is_null(page.items[1].body));
    assert_true(page.more);
    assert_str(page.cursor, "AQ-_9");
    event_page_finish(&page);

    assert_true(event_page_read(STR(PAGE("")), &page));
    assert_int_equal(page.count, 0);
    assert_false(page.more);
    event_page_finish(&page);
}

/* Texts of the page become headers and a part of an address. */
static void texts_of_another_form_are_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "[]",
        "{}",
        "null",
        PAGE("") "x",
        PAGE("1"),
        PAGE("[]"),
        PAGE("{}"),
        PAGE(EVENT("evt_00112233445566f", "a", "{}")),
        PAGE(EVENT("evt_00112233445566fg", "a", "{}")),
        PAGE(EVENT("evt_00112233445566FF", "a", "{}")),
        PAGE(EVENT("dlv_00112233445566ff", "a", "{}")),
        PAGE(EVENT(ID, "", "{}")),
        PAGE(EVENT(ID, "a\\r\\nX: y", "{}")),
        PAGE(EVENT(ID, "a\\u0000", "{}")),
        PAGE(EVENT(ID, "A", "{}")),
        PAGE(EVENT(ID, "a", "[]")),
        PAGE(EVENT(ID, "a", "\"{}\"")),
        PAGE(EVENT(ID, "a", "{}") ",1"),
        PAGE("{\"id\":\"" ID "\",\"id\":\"" ID "\",\"event\":\"a\",\"body\":{}}"),
        PAGE("{\"id\":\"" ID "\",\"event\":\"a\"}"),
        "{\"data\":[],\"nextCursor\":null,\"lastCursor\":\"\"}",
        "{\"data\":[],\"nextCursor\":null,\"lastCursor\":\"a&b\"}",
        "{\"data\":[],\"nextCursor\":null,\"lastCursor\":null}",
        "{\"data\":[],\"nextCursor\":null}",
        "{\"data\":[],\"lastCursor\":\"a\"}",
        "{\"data\":[],\"nextCursor\":1,\"lastCursor\":\"a\"}",
        "{\"data\":{},\"nextCursor\":null,\"lastCursor\":\"a\"}",
        "{\"data\":[],\"data\":[],\"nextCursor\":null,\"lastCursor\":\"a\"}",
        "{\"data\":[],\v\"nextCursor\":null,\"lastCursor\":\"a\"}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct event_page page;
        if (event_page_read(str_from(texts[i]), &page))
            fail_msg("accepted: %s", texts[i]);
        event_page_finish(&page);
    }
}

static void page_with_more_events_than_asked_for_is_refused(void **state)
{
    for (int n = EVENT_PAGE_COUNT_MAX; n <= EVENT_PAGE_COUNT_MAX + 1; n++) {
        struct event_page page;
        struct buf b;
        buf_init(&b, SIZE_MAX);
        buf_text(&b, "{\"data\":[");
        for (int i = 0; i < n; i++) {
            buf_text(&b, i ? "," : "");
            buf_text(&b, EVENT(ID, "a", "{}"));
        }
        buf_text(&b, "],\"nextCursor\":null,\"lastCursor\":\"a\"}");
        assert_int_equal(event_page_read(buf_view(&b), &page), n == EVENT_PAGE_COUNT_MAX);
        event_page_finish(&page);
        buf_finish(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_are_the_bytes_of_the_page),
        cmocka_unit_test(texts_of_another_form_are_refused),
        cmocka_unit_test(page_with_more_events_than_asked_for_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
