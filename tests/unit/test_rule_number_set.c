#include "unit.h"

#include "rule/number_set.h"

static const char *text_of(const char *text, struct arena *arena)
{
    struct number_set set = {{0}};
    number_set_read(&set, str_from(text));
    return arena_fmt(arena, "%.*s", STR_ARG(number_set_text(&set, arena))).p;
}

static void text_is_short_and_reads_back_as_itself(void **state)
{
    struct arena arena;
    arena_init(&arena);
    assert_string_equal(text_of("", &arena), "");
    assert_string_equal(text_of("7,3,2,1,9999", &arena), "1-3,7,9999");
    assert_string_equal(text_of("1-3,7,9999", &arena), "1-3,7,9999");
    assert_string_equal(text_of("63-65", &arena), "63-65"); /* across the end of a word */
    arena_finish(&arena);
}

static void what_is_no_number_is_skipped(void **state)
{
    struct arena arena;
    arena_init(&arena);
    assert_string_equal(text_of("0,x,5-,-2,4-3,10000,,8", &arena), "8");
    assert_string_equal(text_of("9998-99999999999", &arena), "9998-9999");
    arena_finish(&arena);
}

static void part_is_within_the_whole(void **state)
{
    struct number_set whole = {{0}}, part = {{0}};
    number_set_read(&whole, STR("1-200"));
    assert_int_equal(number_set_count(&whole), 200);
    assert_true(number_set_within(&part, &whole));
    number_set_add(&part, 200);
    assert_true(number_set_within(&part, &whole));
    number_set_add(&part, 201);
    assert_false(number_set_within(&part, &whole));
    number_set_keep(&part, &whole);
    assert_true(number_set_within(&part, &whole));
    assert_int_equal(number_set_count(&part), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_short_and_reads_back_as_itself),
        cmocka_unit_test(what_is_no_number_is_skipped),
        cmocka_unit_test(part_is_within_the_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
