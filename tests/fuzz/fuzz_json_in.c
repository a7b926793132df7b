/* What passes the check is what jansson reads, but for depth and for numbers that are too large for
 * its types; and all that is then found is what jansson finds: members, elements, texts. */
#include "fuzz.h"

#include <jansson.h>

#include "base/json_in.h"

static void compare(struct str value, const json_t *expected);

static void compare_array(struct str array, const json_t *expected)
{
    struct str element = STR_NULL;
    for (size_t i = 0; i < json_array_size(expected); i++) {
        assert(json_in_next(&array, &element));
        compare(element, json_array_get(expected, i));
    }
    assert(!json_in_next(&array, &element));
}

static void compare_object(struct str object, const json_t *expected)
{
    const char *name;
    json_t *member;
    json_object_foreach((json_t *)(uintptr_t)expected, name, member)
    {
        struct str value = json_in_member(object, str_from(name));
        if (!str_is_null(value)) /* else it is written with escapes */
            compare(value, member);
    }
}

static void compare_text(struct str value, const json_t *expected)
{
    struct buf b;
    buf_init(&b, 1 << 20);
    bool is_text = json_in_text(value, &b);
    assert(is_text == json_is_string(expected));
    if (is_text)
        assert(str_eq(
            str_of(json_string_value(expected), json_string_length(expected)), buf_view(&b)));
    buf_finish(&b);
}

static void compare(struct str value, const json_t *expected)
{
    assert(json_in_check(value));
    assert(json_in_is(value, '{') == json_is_object(expected));
    assert(json_in_is(value, '[') == json_is_array(expected));
    assert(json_in_is(value, 't') == json_is_true(expected));
    assert(json_in_is(value, 'f') == json_is_false(expected));
    assert(json_in_is(value, 'n') == json_is_null(expected));
    compare_text(value, expected);
    if (json_is_array(expected))
        compare_array(value, expected);
    else if (json_is_object(expected))
        compare_object(value, expected);
}

static bool is_too_deep(const json_t *value, int left)
{
    const char *name;
    json_t *inner;
    size_t i;
    if (json_is_array(value) || json_is_object(value))
        left--;
    if (left < 0)
        return true;
    json_array_foreach(
        (json_t *)(uintptr_t)value, i, inner) if (is_too_deep(inner, left)) return true;
    json_object_foreach(
        (json_t *)(uintptr_t)value, name, inner) if (is_too_deep(inner, left)) return true;
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    json_error_t error = {0};
    struct str text = fuzz_text(data, size);
    bool right = json_in_check(text);
    if (memchr(data, 0, size)) { /* jansson overlooks one behind a number */
        assert(!right);
        return 0;
    }
    json_t *value = json_loadb(
        text.p, text.n, JSON_DECODE_ANY | JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES, &error);
    if (!value) {
        enum json_error_code code = json_error_code(&error);
        /* a name with a NUL in it is jansson's own limit, and so are large numbers */
        assert(
            !right || code == json_error_numeric_overflow || code == json_error_duplicate_key ||
            code == json_error_null_byte_in_key);
        return 0;
    }
    assert(right == !is_too_deep(value, JSON_IN_DEPTH_MAX));
    if (right)
        compare(str_trim(text), value);
    json_decref(value);
    return 0;
}
