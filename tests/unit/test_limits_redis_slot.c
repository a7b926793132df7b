/* The slots of keys in a Redis Cluster, and the end of a script's command. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "limits/redis_call.h"
#include "limits/redis_slot.h"

/* As `redis-cli CLUSTER KEYSLOT` says. */
static void slots_are_those_of_redis(void **state)
{
    static const struct {
        const char *key;
        int slot;
    } cases[] = {
        {"123456789", 12739},
        {"foo", 12182},
        {"{foo}.bar", 12182},
        {"a{foo}b{bar}", 12182},
        {"", 0},
        {"stockact:{k1}:m1", 0},
        {"{k1}", 0},
        {"foo{}", 5542},
    };
    int of_one = redis_slot_of(STR("k1"));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int slot = strstr(cases[i].key, "{k1}") ? of_one : cases[i].slot;
        if (redis_slot_of(str_from(cases[i].key)) != slot)
            fail_msg("%s: %d", cases[i].key, redis_slot_of(str_from(cases[i].key)));
    }
}

static void stamp_replaces_the_last_two_arguments(void **state)
{
    struct redis_script script;
    const struct str arguments[] = {STR_INIT("stockact:{k1}:m1"), STR_INIT("60")};
    redis_script_init(&script, "return 1");
    struct redis_call *call = redis_call_create(&script, 1, arguments, 2);
    size_t n = call->command_n;
    static const struct {
        bool is_new;
        int64_t until;
        const char *end;
    } cases[] = {
        {true, 1800000000123, "\r\n$2\r\n60\r\n$1\r\n1\r\n$15\r\n001800000000123\r\n"},
        {false, -5, "\r\n$2\r\n60\r\n$1\r\n0\r\n$15\r\n000000000000000\r\n"},
        {false, INT64_MAX, "\r\n$2\r\n60\r\n$1\r\n0\r\n$15\r\n999999999999999\r\n"},
    };
    assert_int_equal(call->slot, redis_slot_of(STR("k1")));
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t size = strlen(cases[i].end);
        redis_call_stamp(call, cases[i].is_new, cases[i].until);
        assert_int_equal(call->command_n, n);
        assert_memory_equal(call->command + n - size, cases[i].end, size);
    }
    redis_call_finish(call, NULL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_are_those_of_redis),
        cmocka_unit_test(stamp_replaces_the_last_two_arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
