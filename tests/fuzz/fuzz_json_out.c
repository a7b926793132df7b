/* Any bytes as a JSON string, also as name and value of an object's member: jansson reads UTF-8
 * back unchanged, and U+FFFD for each invalid byte. Numbers, days and instants round-trip. */
#include "fuzz.h"

#include <jansson.h>
#include <string.h>

#include "base/instant.h"
#include "base/json_out.h"

/* Decodes the bytes by hand: RFC 3629 by code points instead of byte ranges. */
static size_t sequence(const uint8_t *p, size_t n)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = p[0] < 0x80       ? 1
                    : p[0] >> 5 == 6  ? 2
                    : p[0] >> 4 == 14 ? 3
                    : p[0] >> 3 == 30 ? 4
                                      : 0;
    if (length < 2 || length > n)
        return length == 1;
    uint32_t point = p[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (p[i] >> 6 != 2)
            return 0;
        point = point << 6 | (p[i] & 0x3f);
    }
    bool surrogate = point >= 0xd800 && point <= 0xdfff;
    return point < least[length] || point > 0x10ffff || surrogate ? 0 : length;
}

static void put_expected(struct buf *b, const uint8_t *data, size_t size)
{
    for (size_t i = 0, n; i < size; i += n ? n : 1) {
        n = sequence(data + i, size - i);
        if (n)
            buf_put(b, data + i, n);
        else
            buf_text(b, "\xef\xbf\xbd");
    }
}

static void assert_string(const json_t *value, struct str expected)
{
    assert(json_is_string(value));
    assert(str_eq(str_of(json_string_value(value), json_string_length(value)), expected));
}

/* The first byte selects values or null values; the next eight are the number. */
static void put_others(struct json_out *j, struct str rest)
{
    uint8_t choice = fuzz_byte(&rest);
    int64_t number = (int64_t)fuzz_number(&rest);
    json_i64(j, number);
    json_bool(j, choice & 1);
    json_instant(j, choice & 2 ? number % (INT64_C(1) << 42) : INSTANT_NONE);
    json_day(j, choice & 4 ? (int32_t)(number % 30000) : DAY_NONE);
    if (choice & 8)
        json_raw(j, STR("[null]"));
    else
        json_str(j, STR_NULL);
}

static void assert_others(const json_t *array, struct str rest)
{
    int64_t ms;
    int32_t day;
    uint8_t choice = fuzz_byte(&rest);
    int64_t number = (int64_t)fuzz_number(&rest);
    assert(json_integer_value(json_array_get(array, 2)) == number);
    assert(json_is_true(json_array_get(array, 3)) == (choice & 1));
    struct str text = str_from(json_string_value(json_array_get(array, 4)));
    assert(str_is_null(text) == !(choice & 2));
    assert(str_is_null(text) || (instant_parse(text, &ms) && ms == number % (INT64_C(1) << 42)));
    text = str_from(json_string_value(json_array_get(array, 5)));
    assert(str_is_null(text) == !(choice & 4));
    assert(str_is_null(text) || (day_parse(text, &day) && day == number % 30000));
    assert(json_is_null(json_array_get(array, 6)) == !(choice & 8));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str bytes = fuzz_text(data, size);
    struct buf expected, out;
    struct json_out j;
    buf_init(&expected, 1 << 20);
    buf_init(&out, 1 << 22);
    put_expected(&expected, data, size);

    json_init(&j, &out);
    json_array_begin(&j);
    json_str(&j, bytes);
    json_object_begin(&j);
    json_key(&j, memchr(data, 0, size) ? STR("name") : bytes); /* jansson allows no NUL in names */
    json_str(&j, bytes);
    json_object_end(&j);
    put_others(&j, bytes);
    json_array_end(&j);
    assert(!out.overflow && !expected.overflow);
    json_t *root = json_loadb(out.p, out.n, JSON_ALLOW_NUL, NULL);
    assert(json_array_size(root) == 7);
    assert_string(json_array_get(root, 0), buf_view(&expected));
    json_t *object = json_array_get(root, 1);
    void *member = json_object_iter(object);
    assert(member && json_object_size(object) == 1);
    assert_string(json_object_iter_value(member), buf_view(&expected));
    assert_others(root, bytes);
    if (!memchr(data, 0, size))
        assert(str_eq(str_from(json_object_iter_key(member)), buf_view(&expected)));

    json_decref(root);
    buf_finish(&expected);
    buf_finish(&out);
    return 0;
}
