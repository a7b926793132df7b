/* The headers of an attempt, against the vectors of decision 35. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "base/codec.h"
#include "webhook/signature.h"

#define SECRET "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
#define V1_HEX "2e37df5d4a028c51a7f3133d64ae1e300d2c2c900f1b1d49d4369ad2530f8964"
#define V1_BASE64 "g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="

static const struct str other_secret =
    STR_INIT("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=");

static struct signature_key key, other_key;
static struct signature_headers headers;

static int make_keys(void **state)
{
    return signature_key_init(&key, STR(SECRET), NULL) ||
           signature_key_init(&other_key, other_secret, NULL);
}

static struct signature_input vector(void)
{
    return (struct signature_input){
        .key = &key,
        .event = STR("trade.published"),
        .delivery_id = STR("msg_p5jXN8AQM9LWM0D4loKWxJek"),
        .body = STR("{\"test\": 2432232314}"),
        .now_ms = 1614265330000,
    };
}

static void sign(struct signature_input input)
{
    memset(&headers, 0xaa, sizeof headers);
    signature_headers(&headers, &input);
}

/* The value of the one header of that name. */
static struct str value_of(const char *name)
{
    struct str found = STR_NULL;
    for (size_t i = 0; i < SIGNATURE_LINES; i++) {
        struct str line = headers.lines[i];
        assert_int_equal(line.p[line.n], 0);
        ptrdiff_t colon = str_find(line, STR(": "));
        assert_true(colon > 0);
        if (str_eq(str_slice(line, 0, (size_t)colon), str_from(name))) {
            assert_true(str_is_null(found));
            found = str_slice(line, (size_t)colon + 2, line.n);
        }
    }
    assert_false(str_is_null(found));
    return found;
}

static void published_vectors_match(void **state)
{
    sign(vector());
    assert_str(value_of("X-SVC-Signature"), "t=1614265330,v1=" V1_HEX);
    assert_str(value_of("webhook-signature"), "v1," V1_BASE64);
}

static void other_headers_describe_event(void **state)
{
    sign(vector());
    assert_str(value_of("Content-Type"), "application/json");
    assert_str(value_of("X-SVC-Event"), "trade.published");
    assert_str(value_of("X-SVC-Delivery-Id"), "msg_p5jXN8AQM9LWM0D4loKWxJek");
    assert_str(value_of("webhook-id"), "msg_p5jXN8AQM9LWM0D4loKWxJek");
    assert_str(value_of("webhook-timestamp"), "1614265330");
}

static void timestamp_rounds_down_to_second(void **state)
{
    struct signature_input input = vector();
    input.now_ms += 999;
    sign(input);
    assert_str(value_of("X-SVC-Signature"), "t=1614265330,v1=" V1_HEX);
    input.now_ms += 1;
    sign(input);
    assert_true(str_starts(value_of("X-SVC-Signature"), STR("t=1614265331,v1=")));
    assert_str(value_of("webhook-timestamp"), "1614265331");
}

static void grace_period_signs_with_new_then_old_secret(void **state)
{
    struct signature_input input = vector();
    char old_hex[128], old_base64[128], hex[256], base64[256];
    input.key = &other_key;
    sign(input);
    struct buf b = buf_over(old_hex, sizeof old_hex);
    struct str alone = value_of("X-SVC-Signature");
    buf_str(&b, str_slice(alone, strlen("t=1614265330"), alone.n));
    buf_char(&b, 0);
    b = buf_over(old_base64, sizeof old_base64);
    buf_str(&b, value_of("webhook-signature"));
    buf_char(&b, 0);

    input.key = &key;
    input.old_key = &other_key;
    sign(input);
    snprintf(hex, sizeof hex, "t=1614265330,v1=" V1_HEX "%s", old_hex);
    snprintf(base64, sizeof base64, "v1," V1_BASE64 " %s", old_base64);
    assert_str(value_of("X-SVC-Signature"), hex);
    assert_str(value_of("webhook-signature"), base64);
}

static void longest_values_fit(void **state)
{
    static char body[1 << 20], name[SIGNATURE_NAME_MAX];
    memset(name, 'n', sizeof name);
    memset(body, 'b', sizeof body);
    struct signature_input input = {
        .key = &key,
        .old_key = &other_key,
        .event = str_of(name, sizeof name),
        .delivery_id = str_of(name, sizeof name),
        .body = str_of(body, sizeof body),
        .now_ms = INT64_MAX,
    };
    sign(input);
    assert_str(value_of("webhook-timestamp"), "9223372036854775");

    /* and the HMAC equals that of one text */
    static char text[sizeof body + 64];
    struct buf b = buf_over(text, sizeof text);
    uint8_t sum[SHA256_SIZE];
    char digits[2 * SHA256_SIZE];
    buf_text(&b, "9223372036854775.");
    buf_put(&b, body, sizeof body);
    hmac_sha256(STR(SECRET), buf_view(&b), sum);
    hex_encode(sum, sizeof sum, digits);
    assert_memory_equal(
        value_of("X-SVC-Signature").p + strlen("t=9223372036854775,v1="), digits, sizeof digits);
}

static void invalid_secret_is_refused_and_not_echoed(void **state)
{
    static const char *const wrong[] = {
        "",
        "whsec_",
        "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",       /* no prefix */
        "WHSEC_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", /* upper case */
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS",  /* one digit missing */
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLQ==", /* 22 bytes */
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaS-", /* another alphabet */
        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\n",
        "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh9=", /* unused bits are set */
        "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA", /* 45 bytes */
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct signature_key none;
        struct fail fail;
        assert_int_equal(signature_key_init(&none, str_from(wrong[i]), &fail), ERR_INVALID);
        assert_true(strlen(wrong[i]) < 8 || !strstr(fail.text, wrong[i]));
    }
}

static void finished_key_is_wiped(void **state)
{
    static const uint8_t zeros[sizeof(struct signature_key)];
    struct signature_key short_lived;
    assert_int_equal(signature_key_init(&short_lived, STR(SECRET), NULL), OK);
    signature_key_finish(&short_lived);
    assert_memory_equal(&short_lived, zeros, sizeof zeros);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_vectors_match),
        cmocka_unit_test(other_headers_describe_event),
        cmocka_unit_test(timestamp_rounds_down_to_second),
        cmocka_unit_test(grace_period_signs_with_new_then_old_secret),
        cmocka_unit_test(longest_values_fit),
        cmocka_unit_test(invalid_secret_is_refused_and_not_echoed),
        cmocka_unit_test(finished_key_is_wiped),
    };
    return cmocka_run_group_tests(tests, make_keys, NULL);
}
