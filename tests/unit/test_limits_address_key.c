#include "unit.h"

#include <string.h>

#include "base/instant.h"
#include "limits/address_key.h"

static const char master_key[] = "0123456789abcdef0123456789abcdef";
enum { NOVEMBER = 2026 * 12 + 10, DECEMBER = 2026 * 12 + 11 };

static struct address_keys keys_under(const char *key, int32_t month, const char *text)
{
    struct address_salts *salts = address_salts_create(str_from(key));
    struct address address = ADDRESS_UNIX;
    struct address_keys keys;
    assert_true(!text || address_parse(str_from(text), &address));
    address_keys_make(salts, month, &address, &keys);
    address_salts_destroy(salts);
    return keys;
}

static bool same(const char *one, const char *other, size_t level)
{
    struct address_keys a = keys_under(master_key, NOVEMBER, one);
    struct address_keys b = keys_under(master_key, NOVEMBER, other);
    return address_key_eq(&a.levels[level], &b.levels[level]);
}

/* IP-01, IP-02, IP-03 */
static void callers_are_counted_by_group(void **state)
{
    assert_true(same("2001:db8:1:2::1", "2001:db8:1:2::ffff", 0));
    assert_false(same("2001:db8:1:2::1", "2001:db8:1:3::1", 0));
    assert_true(same("2001:db8:1:2::1", "2001:db8:1:3::1", 1));
    assert_false(same("2001:db8:1:2::1", "2001:db8:2:2::1", 1));
    assert_true(same("2001:db8:1:2::1", "2001:db8:2:2::1", 2));
    assert_false(same("2001:db8:1:2::1", "2001:db9:1:2::1", 2));
    assert_true(same("::ffff:203.0.113.5", "203.0.113.5", 0));
    assert_true(same("64:ff9b::203.0.113.5", "203.0.113.5", 0));
    assert_false(same("64:ff9b::203.0.113.5", "64:ff9b::203.0.113.6", 0));
    assert_false(same(NULL, "::1", 0)); /* a unix socket is not loopback */
    assert_int_equal(keys_under(master_key, NOVEMBER, "203.0.113.5").n, 1);
    assert_int_equal(keys_under(master_key, NOVEMBER, "2001:db8::1").n, 3);
    assert_int_equal(keys_under(master_key, NOVEMBER, NULL).n, 1);
}

/* IP-10 */
static void key_depends_on_month_and_master_key(void **state)
{
    static const char *const addresses[] = {"203.0.113.5", "2001:db8::1"};
    for (size_t i = 0; i < 2; i++) {
        struct address_keys a = keys_under(master_key, NOVEMBER, addresses[i]);
        struct address_keys b = keys_under(master_key, DECEMBER, addresses[i]);
        struct address_keys c =
            keys_under("1123456789abcdef0123456789abcdef", NOVEMBER, addresses[i]);
        assert_false(address_key_eq(&a.levels[0], &b.levels[0]));
        assert_false(address_key_eq(&a.levels[0], &c.levels[0]));
    }
}

static void key_is_documented_hmac(void **state)
{
    struct address_keys keys = keys_under(master_key, NOVEMBER, "203.0.113.5");
    uint8_t derived[SHA256_SIZE], sum[SHA256_SIZE], group[SHA256_SIZE];
    static const char own[] = "\200\0\0\0\0\0\0\0\0\0\0\377\377\313\0\161\5";
    static const char wide[] = "\160\0\0\0\0\0\0\0\0\0\0\377\377\313\0\0\0";
    hkdf_sha256(str_from(master_key), STR("addr2026-11"), derived);
    struct str key = str_of((const char *)derived, sizeof derived);
    hmac_sha256(key, str_of(own, 17), sum);
    hmac_sha256(key, str_of(wide, 17), group);
    memcpy(sum, group, ADDRESS_KEY_ROUTE);
    assert_memory_equal(keys.levels[0].bytes, sum, ADDRESS_KEY_SIZE);
    assert_memory_equal(keys.group.bytes, group, ADDRESS_KEY_SIZE);
}

static void all_levels_of_group_share_first_bytes(void **state)
{
    struct address_keys a = keys_under(master_key, NOVEMBER, "2001:db8:1:2::1");
    struct address_keys b = keys_under(master_key, NOVEMBER, "2001:db8:ffff::1");
    for (size_t i = 0; i < 3; i++) {
        assert_memory_equal(a.levels[i].bytes, a.group.bytes, ADDRESS_KEY_ROUTE);
        assert_memory_equal(b.levels[i].bytes, a.group.bytes, ADDRESS_KEY_ROUTE);
    }
}

static void months_may_come_in_any_order(void **state)
{
    struct address_salts *salts = address_salts_create(str_from(master_key));
    struct address address;
    assert_true(address_parse(STR("203.0.113.5"), &address));
    for (int round = 0; round < 3; round++) {
        for (int32_t month = NOVEMBER - 20; month < NOVEMBER + 20; month += 3 - round) {
            struct address_keys keys, fresh = keys_under(master_key, month, "203.0.113.5");
            address_keys_make(salts, month, &address, &keys);
            assert_true(address_key_eq(&keys.levels[0], &fresh.levels[0]));
        }
    }
    address_salts_destroy(salts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(callers_are_counted_by_group),
        cmocka_unit_test(key_depends_on_month_and_master_key),
        cmocka_unit_test(key_is_documented_hmac),
        cmocka_unit_test(all_levels_of_group_share_first_bytes),
        cmocka_unit_test(months_may_come_in_any_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
