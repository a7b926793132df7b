#include "arena_fixture.h"

#include "rule/query.h"

static void pairs_come_in_order_and_decoded(void **state)
{
    struct query_pairs q;
    assert_int_equal(
        query_read(
            STR("ticker=BRK%2EB&since=2026-01-01T00:00:00+05:00&%6Cimit=5&a=b=c"), &arena, &q),
        QUERY_OK);
    assert_int_equal(q.count, 4);
    assert_str(q.pairs[0].name, "ticker");
    assert_str(q.pairs[0].value, "BRK.B");
    assert_str(q.pairs[1].value, "2026-01-01T00:00:00 05:00");
    assert_str(q.pairs[2].name, "limit");
    assert_str(q.pairs[3].value, "b=c");
}

static void missing_value_differs_from_an_empty_one(void **state)
{
    struct query_pairs q;
    assert_int_equal(query_read(STR("cursor&ticker=&=x"), &arena, &q), QUERY_OK);
    assert_int_equal(q.count, 3);
    assert_true(str_is_null(q.pairs[0].value));
    assert_str(q.pairs[1].value, "");
    assert_false(str_is_null(q.pairs[1].value));
    assert_str(q.pairs[2].name, "");
    assert_str(q.pairs[2].value, "x");
}

static void empty_pairs_are_skipped(void **state)
{
    struct query_pairs q;
    static const char *const texts[] = {"", "&", "&&&"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_int_equal(query_read(str_from(texts[i]), &arena, &q), QUERY_OK);
        assert_int_equal(q.count, 0);
    }
    assert_int_equal(query_read(STR_NULL, &arena, &q), QUERY_OK);
    assert_int_equal(q.count, 0);
    assert_int_equal(query_read(STR("&a=1&&b=2&"), &arena, &q), QUERY_OK);
    assert_int_equal(q.count, 2);
}

static void invalid_escape_fails_and_keeps_text_before_it(void **state)
{
    static const char *const texts[] = {
        "a=1&b=%", "a=1&b=%4", "a=1&b=%4g", "a=1&b=%g4", "a=1&%zz=1", "a=1&b=%%41", "a=1&b=x%",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct query_pairs q;
        assert_int_equal(query_read(str_from(texts[i]), &arena, &q), QUERY_BAD_ESCAPE);
        assert_int_equal(q.count, 1);
        assert_str(q.pairs[0].name, "a");
    }
}

/* What follows the text in memory is no part of it. */
static void escape_ends_with_the_text(void **state)
{
    struct str whole = STR("x=ab%41"), text;
    for (size_t n = whole.n - 2; n < whole.n; n++)
        for (size_t from = 2; from < 5; from++)
            assert_false(query_decode(str_slice(whole, from, n), true, &arena, &text));
    assert_true(query_decode(str_slice(whole, 2, whole.n), true, &arena, &text));
    assert_str(text, "abA");
}

static void number_of_pairs_is_bounded(void **state)
{
    struct buf b;
    struct query_pairs q;
    buf_init(&b, 4096);
    for (int i = 0; i < QUERY_PAIRS_MAX; i++)
        buf_text(&b, "&a=1");
    assert_int_equal(query_read(buf_view(&b), &arena, &q), QUERY_OK);
    assert_int_equal(q.count, QUERY_PAIRS_MAX);
    buf_text(&b, "&a=1");
    assert_int_equal(query_read(buf_view(&b), &arena, &q), QUERY_TOO_MANY);
    buf_finish(&b);
}

static void plus_in_path_is_literal(void **state)
{
    struct str text;
    assert_true(query_decode(STR("A+B%2b"), false, &arena, &text));
    assert_str(text, "A+B+");
    assert_true(query_decode(STR("A+B%2b"), true, &arena, &text));
    assert_str(text, "A B+");
}

static void first_character_alone_is_decoded(void **state)
{
    struct str text;
    assert_true(query_decode(STR("+b"), true, &arena, &text));
    assert_str(text, " b");
    assert_true(query_decode(STR("%41b"), true, &arena, &text));
    assert_str(text, "Ab");
}

static void only_reserved_bytes_are_encoded(void **state)
{
    struct buf b;
    buf_init(&b, 64);
    query_encode(&b, str_of("azAZ09-._~ /\0\xff", 14));
    assert_str(buf_view(&b), "azAZ09-._~%20%2F%00%FF");
    buf_finish(&b);
}

static void every_byte_survives_encoding(void **state)
{
    char all[256];
    struct buf b;
    struct str back;
    for (int i = 0; i < 256; i++)
        all[i] = (char)i;
    buf_init(&b, 4096);
    query_encode(&b, str_of(all, sizeof all));
    assert_true(str_find_char(buf_view(&b), '+') < 0);
    assert_true(query_decode(buf_view(&b), true, &arena, &back));
    assert_true(str_eq(back, str_of(all, sizeof all)));
    buf_finish(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_come_in_order_and_decoded),
        cmocka_unit_test(missing_value_differs_from_an_empty_one),
        cmocka_unit_test(empty_pairs_are_skipped),
        cmocka_unit_test(invalid_escape_fails_and_keeps_text_before_it),
        cmocka_unit_test(escape_ends_with_the_text),
        cmocka_unit_test(number_of_pairs_is_bounded),
        cmocka_unit_test(plus_in_path_is_literal),
        cmocka_unit_test(first_character_alone_is_decoded),
        cmocka_unit_test(only_reserved_bytes_are_encoded),
        cmocka_unit_test(every_byte_survives_encoding),
    };
    return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}
