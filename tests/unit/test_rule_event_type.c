/* The events that an endpoint can receive. */
#include "unit.h"

#include "rule/event_type.h"

static void lists_of_different_events_are_valid(void **state)
{
    static const char *const valid[] = {
        "trade.published",
        "trade.corrected",
        "trade.withdrawn,trade.reinstated",
        "trade.reinstated,trade.withdrawn,trade.corrected,trade.published",
    };
    static const char *const invalid[] = {
        "",
        ",",
        "test",
        "trade",
        "trade.publishe",
        "trade.publishedx",
        "Trade.published",
        " trade.published",
        "trade.published,",
        ",trade.published",
        "trade.published,,trade.corrected",
        "trade.published, trade.corrected",
        "trade.published trade.corrected",
        "trade.corrected,trade.corrected",
        "trade.corrected,trade.published,trade.corrected",
    };
    for (size_t i = 0; i < sizeof valid / sizeof *valid; i++)
        assert_true(event_types_are_valid(str_from(valid[i])));
    for (size_t i = 0; i < sizeof invalid / sizeof *invalid; i++)
        assert_false(event_types_are_valid(str_from(invalid[i])));
}

static void publications_and_signals_send_no_event_of_changes(void **state)
{
    static const struct {
        enum change_kind kind;
        const char *name;
    } events[] = {
        {CHANGE_CORRECTED, "trade.corrected"},
        {CHANGE_WITHDRAWN, "trade.withdrawn"},
        {CHANGE_REINSTATED, "trade.reinstated"},
    };
    assert_int_equal(event_type_of_change(CHANGE_PUBLISHED), EVENT_NONE);
    assert_int_equal(event_type_of_change(CHANGE_SIGNAL), EVENT_NONE);
    for (size_t i = 0; i < sizeof events / sizeof *events; i++)
        assert_str(event_type_name(event_type_of_change(events[i].kind)), events[i].name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_of_different_events_are_valid),
        cmocka_unit_test(publications_and_signals_send_no_event_of_changes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
