#include "unit.h"

#include <string.h>

#include "base/hash.h"
#include "rule/cursor.h"

static const char id_alphabet[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";

struct text {
    char p[CURSOR_TEXT_SIZE_MAX + 64];
    size_t n;
};

static struct text encode(const struct cursor *cursor)
{
    struct text text = {.n = 0};
    struct buf b;
    buf_init(&b, CURSOR_TEXT_SIZE_MAX);
    cursor_encode(&b, cursor);
    assert_false(b.overflow);
    memcpy(text.p, b.p, b.n);
    text.n = b.n;
    buf_finish(&b);
    return text;
}

static bool decodes(const struct text *text, enum cursor_resource resource)
{
    struct cursor untouched = {.at_ms = 42}, cursor = untouched;
    bool good = cursor_decode(str_of(text->p, text->n), resource, &cursor);
    if (!good)
        assert_memory_equal(&cursor, &untouched, sizeof cursor);
    return good;
}

/* The n-th cursor of a series with every id length. */
static struct cursor sample(uint64_t n)
{
    char id[CURSOR_ID_SIZE_MAX];
    size_t id_n = n % CURSOR_ID_SIZE_MAX + 1;
    for (size_t i = 0; i < id_n; i++) {
        uint64_t random = hash_seeded(str_of((const char *)&n, sizeof n), i);
        id[i] = id_alphabet[random % (sizeof id_alphabet - 1)];
    }
    int64_t at_ms = (int64_t)(hash_seeded(str_of((const char *)&n, sizeof n), 1000) % (1ull << 42));
    return cursor_at(CURSOR_TRADES, n % 7 ? at_ms : -at_ms, str_of(id, id_n));
}

static void cursor_round_trips(void **state)
{
    for (uint64_t n = 0; n < 1000; n++) {
        struct cursor cursor = sample(n), decoded;
        struct text text = encode(&cursor);
        assert_true(cursor_decode(str_of(text.p, text.n), CURSOR_TRADES, &decoded));
        assert_int_equal(decoded.resource, CURSOR_TRADES);
        assert_int_equal(decoded.at_ms, cursor.at_ms);
        assert_true(str_eq(cursor_id(&decoded), cursor_id(&cursor)));
    }
}

static void instants_at_the_ends_of_time_survive(void **state)
{
    static const int64_t instants[] = {INT64_MIN, -1, 0, 1, INT64_MAX};
    for (size_t i = 0; i < sizeof instants / sizeof instants[0]; i++) {
        struct cursor cursor = cursor_at(CURSOR_FILINGS, instants[i], STR("house-1")), decoded;
        struct text text = encode(&cursor);
        assert_true(cursor_decode(str_of(text.p, text.n), CURSOR_FILINGS, &decoded));
        assert_int_equal(decoded.at_ms, instants[i]);
    }
}

static void cursor_is_refused_by_other_resources(void **state)
{
    struct cursor cursor = cursor_at(CURSOR_TRADES, 1763625600000, STR("house-20026590-0003"));
    struct text text = encode(&cursor);
    assert_true(decodes(&text, CURSOR_TRADES));
    assert_false(decodes(&text, CURSOR_FILINGS));
    assert_false(decodes(&text, CURSOR_CORRECTIONS));
    assert_false(decodes(&text, CURSOR_POLITICIANS));
    assert_false(decodes(&text, CURSOR_CHANGES));
    assert_false(decodes(&text, CURSOR_EVENTS));
}

static void every_truncation_is_refused(void **state)
{
    for (uint64_t n = 0; n < 100; n++) {
        struct cursor cursor = sample(n);
        struct text text = encode(&cursor);
        for (text.n--; text.n > 0; text.n--)
            assert_false(decodes(&text, CURSOR_TRADES));
        assert_false(decodes(&text, CURSOR_TRADES));
    }
}

static void every_changed_byte_is_refused(void **state)
{
    for (uint64_t n = 0; n < 100; n++) {
        struct cursor cursor = sample(n);
        struct text text = encode(&cursor);
        for (size_t i = 0; i < text.n; i++) {
            char was = text.p[i];
            for (int c = 0; c < 256; c++) {
                text.p[i] = (char)c;
                if (text.p[i] != was)
                    assert_false(decodes(&text, CURSOR_TRADES));
            }
            text.p[i] = was;
        }
        assert_true(decodes(&text, CURSOR_TRADES));
    }
}

static void every_extension_is_refused(void **state)
{
    static const char *const extensions[] = {"!", "=",  "==",  "\n",   " ",
                                             "A", "AA", "AAA", "AAAA", "%00"};
    for (uint64_t n = 0; n < 100; n++) {
        struct cursor cursor = sample(n);
        struct text text = encode(&cursor);
        size_t whole = text.n;
        for (size_t i = 0; i < sizeof extensions / sizeof extensions[0]; i++) {
            text.n = whole + strlen(extensions[i]);
            memcpy(text.p + whole, extensions[i], text.n - whole);
            assert_false(decodes(&text, CURSOR_TRADES));
        }
        text.p[whole] = '\0';
        text.n = whole + 1;
        assert_false(decodes(&text, CURSOR_TRADES));
    }
}

static void empty_text_and_four_kilobytes_are_refused(void **state)
{
    static char large[4096];
    struct cursor cursor;
    memset(large, 'A', sizeof large);
    assert_false(cursor_decode(STR(""), CURSOR_TRADES, &cursor));
    assert_false(cursor_decode(STR_NULL, CURSOR_TRADES, &cursor));
    assert_false(cursor_decode(str_of(large, sizeof large), CURSOR_TRADES, &cursor));
}

/* Callers keep cursors, so the format is a promise: this test changes only with the format's
 * version. */
static void text_of_a_cursor_never_changes(void **state)
{
    struct cursor cursor = cursor_at(CURSOR_TRADES, 1763625600000, STR("house-20026590-0003"));
    struct text text = encode(&cursor);
    assert_str(str_of(text.p, text.n), "AQEAAAGaoEcEAGhvdXNlLTIwMDI2NTkwLTAwMDMTnoMzrRhWoA");
}

static void ids_are_of_a_plain_alphabet_and_at_most_64_bytes(void **state)
{
    static const char longest[] =
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    assert_true(cursor_id_is_valid(STR("senate-3f2b1c9e-0000-4a7b-9d56-0123456789ab-0001")));
    assert_true(cursor_id_is_valid(str_of(longest, 64)));
    assert_false(cursor_id_is_valid(STR("")));
    assert_false(cursor_id_is_valid(STR("house 1")));
    assert_false(cursor_id_is_valid(STR("/house1")));
    assert_false(cursor_id_is_valid(STR("house1/")));
    assert_false(cursor_id_is_valid(STR("house\"1")));
    assert_false(cursor_id_is_valid(STR("house\xc3\xa4")));
    assert_false(cursor_id_is_valid(
        STR("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cursor_round_trips),
        cmocka_unit_test(instants_at_the_ends_of_time_survive),
        cmocka_unit_test(cursor_is_refused_by_other_resources),
        cmocka_unit_test(every_truncation_is_refused),
        cmocka_unit_test(every_changed_byte_is_refused),
        cmocka_unit_test(every_extension_is_refused),
        cmocka_unit_test(empty_text_and_four_kilobytes_are_refused),
        cmocka_unit_test(text_of_a_cursor_never_changes),
        cmocka_unit_test(ids_are_of_a_plain_alphabet_and_at_most_64_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
