#include "dice.h"
#include "unit.h"

#include <string.h>

#include "base/crypto.h"

static void prepared_hmac_equals_plain_hmac(void **state)
{
    char data[200], key[64];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (char)(7 * i);
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (char)(11 * i + 3);
    for (size_t key_n = 0; key_n <= sizeof key; key_n += 16) {
        struct hmac_state hmac;
        hmac_init(&hmac, str_of(key, key_n));
        for (size_t n = 0; n <= sizeof data; n++) {
            uint8_t sum[SHA256_SIZE], expected[SHA256_SIZE];
            hmac_sum(&hmac, str_of(data, n), sum);
            hmac_sha256(str_of(key, key_n), str_of(data, n), expected);
            assert_memory_equal(sum, expected, sizeof sum);
        }
        hmac_finish(&hmac);
    }
}

static void hmac_of_parts_equals_hmac_of_text(void **state)
{
    static const struct str text = STR_INIT("1614265330.a body");
    struct hmac_state hmac;
    uint8_t sum[SHA256_SIZE], expected[SHA256_SIZE];
    hmac_init(&hmac, STR("a key"));
    hmac_sum(&hmac, text, expected);
    for (size_t i = 0; i <= text.n; i++)
        for (size_t j = i; j <= text.n; j++) {
            const struct str parts[] = {
                str_slice(text, 0, i), str_slice(text, i, j), STR_NULL, str_slice(text, j, text.n)};
            hmac_sum_parts(&hmac, parts, sizeof parts / sizeof *parts, sum);
            assert_memory_equal(sum, expected, sizeof sum);
        }
    hmac_finish(&hmac);
}

/* See dice.h. */
static void random_bytes_of_tests_are_the_same_in_each_run(void **state)
{
    uint8_t first[32], second[sizeof first], again[sizeof first];
    dice_begin();
    random_bytes(first, sizeof first);
    random_bytes(second, sizeof second);
    dice_begin();
    random_bytes(again, sizeof again);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, second, sizeof first);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(prepared_hmac_equals_plain_hmac),
        cmocka_unit_test(hmac_of_parts_equals_hmac_of_text),
        cmocka_unit_test(random_bytes_of_tests_are_the_same_in_each_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
