/* Decision 25 end to end: groups of addresses, and tables that do not grow under a flood. */
#include "limits_unit.h"

#include <malloc.h>
#include <stdio.h>

static struct limits *limits;

static int setup(void **state)
{
    limits = limits_unit_create((struct limits_sizes){0});
    return 0;
}

static int setup_small(void **state)
{
    limits = limits_unit_create((struct limits_sizes){
        .shards = 1, .minute_addresses = 64, .minute_shared = 4096, .month_addresses = 64});
    return 0;
}

static int teardown(void **state)
{
    limits_destroy(limits);
    return 0;
}

static struct limits_caller ipv4(uint32_t number)
{
    struct limits_caller caller = anonymous("0.0.0.0");
    for (int i = 0; i < 4; i++)
        caller.address.bytes[12 + i] = (uint8_t)(number >> (24 - 8 * i));
    return caller;
}

/* The /64 with this number inside the /32. */
static struct limits_caller ipv6(const char *group, uint32_t number)
{
    struct limits_caller caller = anonymous(group);
    for (int i = 0; i < 4; i++)
        caller.address.bytes[4 + i] = (uint8_t)(number >> (24 - 8 * i));
    return caller;
}

static struct limits_stats stats(void)
{
    struct limits_stats now;
    limits_stats(limits, &now);
    return now;
}

static const char noon[] = "2026-11-20T12:00:00Z";

/* IP-01, IP-02, IP-03 */
static void group_has_one_window(void **state)
{
    static const struct {
        const char *one, *other;
        int granted; /* draws granted to the other after the first has used its ten */
    } cases[] = {
        {"2001:db8:1:2::1", "2001:db8:1:2::ffff", 0},
        {"2001:db8:1:2::1", "2001:db8:1:3::1", 10},
        {"203.0.113.5", "::ffff:203.0.113.5", 0},
        {"203.0.113.7", "64:ff9b::203.0.113.7", 0},
        {"64:ff9b::203.0.113.8", "64:ff9b::203.0.113.9", 10},
        {"::1", "127.0.0.1", 10},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        (void)draw_many(limits, anonymous(cases[i].one), noon, 10);
        assert_int_equal(draw_many(limits, anonymous(cases[i].other), noon, 11), cases[i].granted);
    }
}

/* IP-09 */
static void unix_peers_share_one_window(void **state)
{
    struct limits_caller caller = anonymous("::1");
    caller.address = ADDRESS_UNIX;
    assert_int_equal(draw_many(limits, caller, noon, 11), 10);
    assert_int_equal(draw_many(limits, anonymous("::1"), noon, 11), 10);
}

static void site_limit_is_10_times_and_provider_limit_100_times(void **state)
{
    int granted = 0;
    for (uint32_t i = 0; i < 11; i++)
        granted += draw_many(limits, ipv6("2001:db8::", i), noon, 10);
    assert_int_equal(granted, 100); /* one /48 */
    assert_answer(draw(limits, ipv6("2001:db8::", 12), noon), LIMITS_DENIED_MINUTE, 10, 0, 60);
    assert_int_equal(draw_many(limits, ipv6("2001:db8::", 1 << 16), noon, 11), 10);
    for (uint32_t i = 0; i < 2000; i++)
        granted += draw_many(limits, ipv6("2001:db8::", i << 16), noon, 1);
    assert_int_equal(granted + 10, 1000); /* the /32 */
    assert_int_equal(draw_many(limits, ipv6("2001:db9::", 0), noon, 11), 10);
}

static void months_of_sites_are_limited_too(void **state)
{
    struct limits_caller caller = ipv6("2001:db8::", 0);
    int64_t now = at("2026-11-01T00:00:00Z");
    uint32_t granted = 0;
    for (uint32_t i = 0; i < 10200; i++) { /* each minute another /64 of the /48 */
        struct limits_caller next = ipv6("2001:db8::", i / 10 % 1024);
        next.per_month = 1000;
        granted += draw_ms(limits, &next, now + i / 10 * MINUTE_MS).verdict == LIMITS_GRANTED;
    }
    assert_int_equal(granted, 10000);
    struct limits_answer answer = draw_ms(limits, &caller, now + 2000 * MINUTE_MS);
    assert_answer(
        answer, LIMITS_DENIED_MONTH, 10, 10,
        (at("2026-12-01T00:00:00Z") - now) / SECOND_MS - 2000 * 60);
}

/* IP-11 */
static void flood_does_not_grow_memory_or_deny_others(void **state)
{
    enum { FLOOD = 1500000 };
    struct limits_caller bystander = anonymous("203.0.113.5"), other = anonymous("2001:db9::1");
    size_t before = mallinfo2().uordblks + mallinfo2().hblkhd;
    uint32_t granted = 0;
    for (uint32_t i = 0; i < FLOOD; i++) {
        struct limits_caller caller = ipv6("2001:db8::", i * 2654435761u);
        granted += draw_ms(limits, &caller, at(noon) + i / 500).verdict == LIMITS_GRANTED;
        if (i % 100000 == 0)
            assert_int_equal(draw_many(limits, bystander, noon, 1), i / 100000 < 10);
    }
    assert_int_equal(granted, 1000);
    assert_int_equal(stats().shared_minute, 0);
    assert_in_range(stats().minute_addresses, 1, 2100);
    assert_int_equal(draw_many(limits, other, noon, 11), 10);
    size_t after = mallinfo2().uordblks + mallinfo2().hblkhd;
    assert_in_range(after - before, 0, 64 * 1024); /* the list of unwritten months */
}

/* IP-11: many providers, or IPv4, where no wider level limits newcomers */
static void table_with_room_shares_no_window(void **state)
{
    limits_destroy(limits);
    limits = limits_unit_create((struct limits_sizes){.shards = 1, .minute_addresses = 8192});
    for (uint32_t i = 0; i < 6500; i++)
        assert_int_equal(draw_many(limits, ipv4(i * 2654435761u), noon, 1), 1);
    assert_int_equal(stats().shared_minute, 0);
    assert_int_equal(stats().minute_addresses, 6500);
}

static void newcomers_to_a_full_table_share_by_group(void **state)
{
    for (uint32_t i = 0; i < 2000; i++) /* fills the table: each from its own /16 */
        (void)draw_many(limits, ipv4(i << 16 | 1), noon, 1);
    assert_in_range(stats().shared_minute, 2000 - 64, 2000);
    assert_int_equal(stats().minute_addresses, 64);
    /* Neighbours of one /16: ten draws together, and all draws are counted. */
    int granted = 0;
    for (uint32_t i = 0; i < 100; i++)
        granted += draw_many(limits, ipv4(0xfe000000 | i), noon, 1);
    assert_int_equal(granted, 10);
    assert_answer(draw(limits, ipv4(0xfe0000ff), noon), LIMITS_DENIED_MINUTE, 10, 0, 60);
    /* Another family has its own tables. */
    assert_int_equal(draw_many(limits, anonymous("2001:db8::1"), noon, 11), 10);
    /* In the next minute each caller has its own window again. */
    assert_int_equal(draw_many(limits, ipv4(0xfe0000ff), "2026-11-20T12:01:00Z", 11), 10);
    assert_int_equal(draw_many(limits, ipv4(0xfe000001), "2026-11-20T12:01:00Z", 11), 10);
}

static void ipv6_newcomers_to_a_full_table_are_counted_once(void **state)
{
    char group[40];
    for (uint32_t i = 0; i < 500; i++) {
        snprintf(group, sizeof group, "2a00:%x::", i);
        (void)draw_many(limits, ipv6(group, 0), noon, 1);
    }
    assert_int_equal(stats().minute_addresses, 64);
    int granted = 0;
    for (uint32_t i = 0; i < 20; i++)
        granted += draw_many(limits, ipv6("2001:db8::", i << 16), noon, 1);
    assert_int_equal(granted, 10);
}

/* CL-02 for callers that shared a window and callers with evicted entries */
static void step_back_opens_no_fresh_window(void **state)
{
    struct limits_caller sharing = ipv4(0xfe000001), early = ipv4(0xfd000001);
    assert_int_equal(draw_many(limits, early, "2026-11-20T12:00:00Z", 10), 10);
    for (uint32_t i = 0; i < 2000; i++)
        (void)draw_many(limits, ipv4(i << 16 | 1), "2026-11-20T12:01:00Z", 1);
    assert_int_equal(draw_many(limits, sharing, "2026-11-20T12:01:00Z", 11), 10);
    for (uint32_t i = 0; i < 2000; i++)
        (void)draw_many(limits, ipv4(i << 16 | 2), "2026-11-20T12:30:00Z", 1);
    assert_int_equal(draw_many(limits, early, "2026-11-20T12:00:30Z", 1), 0);
    assert_int_equal(draw_many(limits, sharing, "2026-11-20T12:01:30Z", 1), 0);
    assert_int_equal(draw_many(limits, sharing, "2026-11-20T12:31:00Z", 11), 10);
}

static void month_with_fewest_draws_is_evicted(void **state)
{
    struct limits_caller loyal = anonymous("203.0.113.5");
    loyal.per_month = 60;
    for (int i = 0; i < 51; i++) /* above the maximum of an evictable entry */
        (void)draw_ms(limits, &loyal, at("2026-11-20T00:00:00Z") + i / 10 * MINUTE_MS);
    for (uint32_t i = 0; i < 5000; i++) {
        struct limits_caller passing = ipv4(i * 2654435761u);
        int64_t now = at("2026-11-20T01:00:00Z") + i / 32 * MINUTE_MS;
        assert_int_equal(draw_ms(limits, &passing, now).verdict, LIMITS_GRANTED);
    }
    assert_int_equal(stats().month_addresses, 64);
    assert_in_range(stats().forgotten, 4900, 5000);
    assert_int_equal(stats().forgotten_draws, stats().forgotten); /* one each */
    assert_int_equal(stats().shared_month, 0);
    assert_int_equal(draw_many(limits, loyal, "2026-11-20T23:00:00Z", 10), 9);
    assert_int_equal(draw(limits, loyal, "2026-11-20T23:01:00Z").verdict, LIMITS_DENIED_MONTH);
}

static void newcomers_share_month_if_no_entry_is_evictable(void **state)
{
    for (uint32_t i = 0; i < 200; i++) {
        struct limits_caller loyal = ipv4(i << 16 | 1);
        for (int k = 0; k < 51; k++)
            (void)draw_ms(
                limits, &loyal,
                at("2026-11-20T00:00:00Z") + (i * 6 + (uint32_t)k / 10) * (int64_t)MINUTE_MS);
    }
    assert_int_equal(stats().forgotten, 0);
    assert_in_range(stats().shared_month, 51, 51 * 200);
    struct limits_caller one = ipv4(0xfe000001), other = ipv4(0xfe000002);
    one.per_month = other.per_month = 12;
    assert_int_equal(draw_many(limits, one, "2026-11-21T00:00:00Z", 10), 10);
    assert_int_equal(draw_many(limits, other, "2026-11-21T00:01:00Z", 10), 2);
    assert_int_equal(draw(limits, one, "2026-11-21T00:02:00Z").verdict, LIMITS_DENIED_MONTH);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(group_has_one_window),
        TEST(unix_peers_share_one_window),
        TEST(site_limit_is_10_times_and_provider_limit_100_times),
        TEST(months_of_sites_are_limited_too),
        TEST(flood_does_not_grow_memory_or_deny_others),
        TEST(table_with_room_shares_no_window),
        cmocka_unit_test_setup_teardown(
            newcomers_to_a_full_table_share_by_group, setup_small, teardown),
        cmocka_unit_test_setup_teardown(
            ipv6_newcomers_to_a_full_table_are_counted_once, setup_small, teardown),
        cmocka_unit_test_setup_teardown(step_back_opens_no_fresh_window, setup_small, teardown),
        cmocka_unit_test_setup_teardown(month_with_fewest_draws_is_evicted, setup_small, teardown),
        cmocka_unit_test_setup_teardown(
            newcomers_share_month_if_no_entry_is_evictable, setup_small, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
