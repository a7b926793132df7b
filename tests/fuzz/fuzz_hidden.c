/* No output of base/hidden.h has a hidden character: shown texts, JSON for programs, which jansson
 * parses to the same value, and JSON for models, in whose parsed strings nothing is hidden. */
#include "fuzz.h"

#include <jansson.h>
#include <string.h>

#include "base/hidden.h"
#include "base/utf8.h"

static bool is_clean(struct str text, bool lines)
{
    for (size_t i = 0; i < text.n; i++)
        if (text.p[i] == '\r' || (!lines && (text.p[i] == '\n' || text.p[i] == '\t')))
            return false;
    return utf8_is_valid(text) && hidden_in_lines(text) == HIDDEN_NONE;
}

static void check_text(struct str bytes)
{
    struct buf b;
    buf_init(&b, 1 << 22);
    hidden_show(&b, bytes);
    assert(!b.overflow && is_clean(buf_view(&b), false));
    buf_reset(&b);
    hidden_show_lines(&b, bytes);
    assert(!b.overflow && is_clean(buf_view(&b), true));
    if (utf8_is_valid(bytes) && hidden_in(bytes) == HIDDEN_NONE)
        assert(str_eq(buf_view(&b), bytes));
    buf_finish(&b);
}

static void check_parsed(const json_t *value)
{
    const char *key;
    const json_t *member;
    if (json_is_string(value))
        assert(is_clean(str_of(json_string_value(value), json_string_length(value)), true));
    for (size_t i = 0; i < json_array_size(value); i++)
        check_parsed(json_array_get(value, i));
    if (json_is_object(value))
        json_object_foreach((json_t *)(uintptr_t)value, key, member)
        {
            assert(is_clean(str_from(key), true));
            check_parsed(member);
        }
}

static bool has_hidden_bytes(struct str json)
{
    for (size_t i = 0; i < json.n; i++) /* blanks between tokens stay */
        if ((unsigned char)json.p[i] < ' ' && !strchr("\t\n\r", json.p[i]))
            return true;
    return hidden_in_lines(json) != HIDDEN_NONE;
}

static void check_json(struct str bytes)
{
    struct buf same, shown;
    json_t *root = json_loadb(bytes.p, bytes.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    buf_init(&same, 1 << 22);
    buf_init(&shown, 1 << 22);
    hidden_json(&same, bytes);
    hidden_json_show(&shown, bytes);
    assert(!same.overflow && !shown.overflow);
    if (root) {
        json_t *again = json_loadb(same.p, same.n, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
        assert(again && json_equal(root, again) && !has_hidden_bytes(buf_view(&same)));
        json_decref(again);
        again = json_loadb(shown.p, shown.n, JSON_DECODE_ANY, NULL);
        assert(again && !has_hidden_bytes(buf_view(&shown)));
        check_parsed(again);
        json_decref(again);
    }
    json_decref(root);
    buf_finish(&same);
    buf_finish(&shown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str bytes = fuzz_text(data, size);
    check_text(bytes);
    if (!memchr(data, 0, size)) /* jansson ends a text there */
        check_json(bytes);
    return 0;
}
