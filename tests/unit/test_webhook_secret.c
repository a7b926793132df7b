/* Endpoint secrets: their format, and their sealing to one endpoint. */
#include "unit.h"

#include <string.h>

#include "base/codec.h"
#include "webhook/secret.h"

static const struct str endpoint = STR_INIT("ep_00112233445566ff");

static struct seal_key key;

static int make_key(void **state)
{
    secret_seal_key(&key, STR("0123456789abcdef0123456789abcdef"));
    return 0;
}

static void secrets_are_whsec_and_32_base64_bytes_and_differ(void **state)
{
    struct secret a, b;
    char bytes[SECRET_TEXT_SIZE];
    struct buf decoded = buf_over(bytes, sizeof bytes);
    secret_make(&a);
    secret_make(&b);
    assert_int_equal(strlen(a.text), 50);
    assert_true(str_starts(secret_text(&a), STR("whsec_")));
    assert_true(base64_decode(&decoded, str_slice(secret_text(&a), 6, SECRET_TEXT_SIZE)));
    assert_int_equal(decoded.n, 32);
    assert_string_not_equal(a.text, b.text);
}

static void sealed_secret_opens_for_its_endpoint_only(void **state)
{
    struct secret secret, opened;
    uint8_t sealed[SECRET_SEALED_SIZE] = {0};
    struct str at_rest = str_of((char *)sealed, sizeof sealed);
    struct fail fail;
    secret_make(&secret);
    secret_seal(&key, endpoint, &secret, sealed);
    assert_null(memmem(sealed, sizeof sealed, secret.text, 8));
    assert_int_equal(secret_open(&key, endpoint, at_rest, &opened, &fail), OK);
    assert_string_equal(opened.text, secret.text);

    memset(&opened, 'x', sizeof opened);
    assert_int_equal(
        secret_open(&key, STR("ep_00112233445566fe"), at_rest, &opened, &fail), ERR_CORRUPT);
    assert_int_equal(opened.text[0], 'x');
    assert_null(strstr(fail.text, secret.text));
}

static void finished_secret_is_wiped(void **state)
{
    static const char zeros[sizeof(struct secret)];
    struct secret secret;
    secret_make(&secret);
    secret_finish(&secret);
    assert_memory_equal(&secret, zeros, sizeof zeros);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(secrets_are_whsec_and_32_base64_bytes_and_differ),
        cmocka_unit_test(sealed_secret_opens_for_its_endpoint_only),
        cmocka_unit_test(finished_secret_is_wiped),
    };
    return cmocka_run_group_tests(tests, make_key, NULL);
}
