/* The words of a member's page: bands of amounts, days to a report, periods of seats. */
#include "arena_fixture.h"
#include "day_from.h"

#include "site/data/member_trades.h"

static struct str text_of(int64_t min, int64_t max, bool open)
{
    return member_band_text(&(struct member_band){min, max, open}, &arena);
}

static void band_rounds_outwards(void **state)
{
    assert_str(text_of(0, 0, false), "$0 – $0");
    assert_str(text_of(999, 1000, false), "$999 – $1K");
    assert_str(text_of(1001, 15000, false), "$1K – $15K");
    assert_str(text_of(1190000, 1110001, false), "$1.1M – $1.2M");
    assert_str(text_of(12390000, 12310000, false), "$12.3M – $12.4M");
    assert_str(text_of(999999, 999999, false), "$999K – $1M");
    assert_str(text_of(123900000, 123000001, false), "$123M – $124M");
    assert_str(text_of(2000000000, 0, true), "over $2B");
    assert_str(text_of(50000000, BRACKET_OPEN, true), "over $50M");
}

static void band_adds_bounds(void **state)
{
    struct member_band band = {0};
    member_band_add(&band, BRACKET_1K_15K, 1);
    member_band_add(&band, BRACKET_15K_50K, 1);
    assert_int_equal(band.min, 1001 + 15001);
    assert_int_equal(band.max, 15000 + 50000);
    assert_false(band.open);
    member_band_add(&band, BRACKET_OVER_50M, 0);
    assert_false(band.open);
    member_band_add(&band, BRACKET_OVER_50M, 1);
    assert_true(band.open);
    assert_int_equal(band.min, 1001 + 15001 + 50000001);
    member_band_add(&band, BRACKET_1K_15K, 1000000);
    assert_int_equal(band.max, INT64_C(15000065000));
}

static void periods_join_congresses_but_not_roles(void **state)
{
    struct timeline_span spans[] = {
        {17900, 18630}, {18660, 19360}, {19400, 20000}, {20200, DAY_NONE}};
    enum seat_role roles[] = {SEAT_MEMBER, SEAT_MEMBER, SEAT_CHAIR, SEAT_CHAIR};
    struct member_seat seat = {.spans = spans, .roles = roles, .span_count = 4};
    assert_str(
        member_seat_periods(&seat, &arena),
        "2019-01-04 to 2023-01-03; 2023-02-12 to 2024-10-04 (chair); since 2025-04-22 (chair)");
    seat.span_count = 0;
    assert_str(member_seat_periods(&seat, &arena), "");
}

static void signal_leads_to_the_rows_of_its_seats(void **state)
{
    struct member_seat rows[] = {
        {.id = STR("HSAG"), .title = STR("House Committee on Agriculture")},
        {.id = STR("HSAG15"), .title = STR("Farms, Soil and Water"), .panel = true},
        {.id = STR("HSAG15"), .title = STR("Forests"), .panel = true},
        {.id = STR("HSBA"), .title = STR("House Committee on Banks")}};
    const struct member_seats seats = {.rows = rows, .count = 4};
    const struct finding finding = {
        .no = 1,
        .reason = STR("one"),
        .evidence = STR("{\"industry\":\"Agriculture\",\"committees\":["
                        "{\"id\":\"HSAG\",\"name\":\"an older name\"},"
                        "{\"id\":\"HSAG15\",\"name\":\"farms soil, and water\"}]}")};
    struct topics *topics = MEM_NEW(struct topics);
    topics_init(topics);
    topics_add(topics, &finding);
    const struct signal_topic *topic = topics_find(topics, STR("one"));
    assert_int_equal(member_seats_of(&seats, topics, topic, &arena), 3); /* rows 0 and 1 */
    assert_int_equal(member_seats_of(&seats, topics, NULL, &arena), 0);
    topics_finish(topics);
    mem_free(topics);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ARENA_TEST(band_rounds_outwards),
        cmocka_unit_test(band_adds_bounds),
        ARENA_TEST(periods_join_congresses_but_not_roles),
        cmocka_unit_test(signal_leads_to_the_rows_of_its_seats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
