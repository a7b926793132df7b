#include "unit.h"

#include <string.h>

#include "base/codec.h"
#include "rule/api_key.h"

static const char zero_key[] = "svc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

static void key_is_svc_and_43_characters_of_its_random_bytes(void **state)
{
    uint8_t random[API_KEY_RANDOM_SIZE] = {0};
    char key[API_KEY_SIZE];
    api_key_make(KEY_API, random, key);
    assert_str(str_of(key, sizeof key), zero_key);
    for (size_t i = 0; i < sizeof random; i++)
        random[i] = 0xff;
    api_key_make(KEY_API, random, key);
    assert_str(str_of(key, sizeof key), "svc___________________________________________8");
    assert_str(api_key_prefix(str_of(key, sizeof key)), "svc_________");
}

static void minted_keys_have_the_shape_and_differ(void **state)
{
    char last[API_KEY_SIZE] = {0};
    for (int i = 0; i < 1000; i++) {
        uint8_t random[API_KEY_RANDOM_SIZE];
        char key[API_KEY_SIZE];
        random_bytes(random, sizeof random);
        api_key_make(KEY_API, random, key);
        assert_true(api_key_shaped(KEY_API, str_of(key, sizeof key)));
        assert_memory_not_equal(key, last, sizeof key);
        memcpy(last, key, sizeof key);
    }
}

static void other_texts_are_not_keys(void **state)
{
    static const char *const texts[] = {
        "",
        "svc_",
        "svc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",   /* 42: KY-07 */
        "svc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", /* 44 */
        "svc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA+",
        "svc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/",
        "svc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
        "svc_AAAAAAAAAAAAAAAAAAAAA AAAAAAAAAAAAAAAAAAAAA",
        "SVC_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "svc-AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
        "svc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\xc3\xa9",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (api_key_shaped(KEY_API, str_from(texts[i])))
            fail_msg("taken for a key: %s", texts[i]);
    assert_false(api_key_shaped(KEY_API, STR_NULL));
    assert_false(
        api_key_shaped(KEY_API, str_of("svc_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\0A", 47)));
}

/* KY-06 */
static void unused_bits_make_another_key(void **state)
{
    char other[API_KEY_SIZE];
    uint8_t one_hash[SHA256_SIZE], other_hash[SHA256_SIZE];
    memcpy(other, zero_key, sizeof other);
    other[API_KEY_SIZE - 1] = 'B'; /* decodes to the same 32 bytes */
    assert_true(api_key_shaped(KEY_API, str_of(other, sizeof other)));
    api_key_hash(str_from(zero_key), one_hash);
    api_key_hash(str_of(other, sizeof other), other_hash);
    assert_memory_not_equal(one_hash, other_hash, SHA256_SIZE);
}

static void hash_is_sha256_of_the_text(void **state)
{
    uint8_t hash[SHA256_SIZE], expected[SHA256_SIZE];
    api_key_hash(str_from(zero_key), hash);
    sha256(str_from(zero_key), expected);
    assert_memory_equal(hash, expected, SHA256_SIZE);
    api_key_hash(STR_NULL, hash);
    assert_true(hex_decode(
        STR("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"), expected,
        SHA256_SIZE));
    assert_memory_equal(hash, expected, SHA256_SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(key_is_svc_and_43_characters_of_its_random_bytes),
        cmocka_unit_test(minted_keys_have_the_shape_and_differ),
        cmocka_unit_test(other_texts_are_not_keys),
        cmocka_unit_test(unused_bits_make_another_key),
        cmocka_unit_test(hash_is_sha256_of_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
