#include "unit.h"

#include "base/mem.h"
#include "mcp/name_parts.h"

static struct arena arena;

static int start(void **state)
{
    arena_init(&arena);
    return 0;
}

static int stop(void **state)
{
    arena_finish(&arena);
    return 0;
}

static struct name_parts parts(const char *text)
{
    struct name_parts p;
    struct fail fail = {0};
    if (name_parts_read(&p, str_from(text), &fail))
        fail_msg("\"%s\": %s", text, fail.text);
    return p;
}

/* The words with a space between them. */
static struct str words(const char *text)
{
    struct name_parts p = parts(text);
    struct str all = STR("");
    for (int i = 0; i < p.count; i++)
        all = arena_fmt(
            &arena, "%.*s%s%.*s", STR_ARG(all), i ? " " : "", STR_ARG(name_parts_word(&p, i)));
    return all;
}

static void words_are_folded(void **state)
{
    assert_str(words("  Ra\xc3\xbal M. O'NEIL-Ferncastle "), "raul m oneil ferncastle");
    assert_str(words("ada_winterhall"), "ada winterhall");
}

static void what_stands_behind_a_comma_goes_in_front(void **state)
{
    assert_str(words("Winterhall, Ada"), "ada winterhall");
    assert_str(words("Van Winterhall,Ada M."), "ada m van winterhall");
    assert_str(words("Pinebrook Jr., Walter"), "walter pinebrook");
    assert_str(words("Pinebrook, Jr., Walter"), "walter pinebrook");
    assert_str(words("Pinebrook, Walter, Jr."), "walter pinebrook");
    assert_str(words("Pinebrook , Walter ,"), "walter pinebrook");
    assert_str(words(", Pinebrook"), "pinebrook");
}

static void titles_degrees_and_parties_are_no_part_of_a_name(void **state)
{
    assert_str(words("The Honorable Ada Winterhall"), "ada winterhall");
    assert_str(words("U.S. Sen. Ada Winterhall (D-CA)"), "ada winterhall");
    assert_str(words("Former Congresswoman Ada Winterhall, R-TX 22"), "ada winterhall");
    assert_str(words("Winterhall, Hon. Ada"), "ada winterhall");
    assert_str(words("Winterhall, Ada Dr"), "ada winterhall");
    assert_str(words("Ben Ferncastle, M.D., FACS"), "ben ferncastle");
    assert_str(words("Ben Ferncastle MD"), "ben ferncastle");
    assert_str(words("Ferncastle, Rep"), "ferncastle");
    /* Two letters that are no state, and a state without a party. */
    assert_str(words("Ben D. Wu"), "ben d wu");
    assert_str(words("Ben La"), "ben la");
}

static void a_name_is_never_dropped_whole(void **state)
{
    assert_str(words("Senator"), "senator");
    assert_str(words("Senator Miss"), "miss");
    assert_str(words("Jr."), "jr");
    assert_str(words("D CA"), "d ca");
    assert_str(words("Senator, Ada Winterhall"), "ada winterhall");
}

static void a_generation_is_kept_beside_the_words(void **state)
{
    assert_int_equal(parts("Walter Pinebrook").generation, GENERATION_NONE);
    assert_int_equal(parts("Walter Pinebrook Jr.").generation, GENERATION_JUNIOR);
    assert_int_equal(parts("Walter Pinebrook II").generation, GENERATION_JUNIOR);
    assert_int_equal(parts("Pinebrook, Sr, Walter").generation, GENERATION_SENIOR);
    assert_int_equal(parts("Walter Pinebrook, III (D-NV)").generation, GENERATION_THIRD);
    assert_int_equal(parts("Walter Pinebrook 4th").generation, GENERATION_FOURTH);
    /* A single V is an initial. */
    assert_str(words("Pinebrook, Walter V."), "walter v pinebrook");
}

static void words_side_by_side_are_one(void **state)
{
    struct name_parts p = parts("Ada Van Winter Hall");
    assert_str(name_parts_span(&p, 1, 3), "vanwinterhall");
    assert_str(name_parts_span(&p, 2, 1), "winter");
    assert_str(name_parts_all(&p), "adavanwinterhall");
    assert_true(name_parts_initials(&p, 0, 4, STR("avwh")));
    assert_true(name_parts_initials(&p, 2, 2, STR("wh")));
    assert_false(name_parts_initials(&p, 0, 4, STR("avwx")));
    assert_false(name_parts_initials(&p, 0, 4, STR("avw")));
}

static void assert_refused(struct str text, const char *reason)
{
    struct name_parts p;
    struct fail fail = {0};
    assert_int_equal(name_parts_read(&p, text, &fail), ERR_INVALID);
    assert_string_equal(fail.text, reason);
}

static struct str repeated(const char *text, int times)
{
    struct str all = STR("");
    for (int i = 0; i < times; i++)
        all = arena_fmt(&arena, "%.*s%s", STR_ARG(all), text);
    return all;
}

static void what_is_no_name_is_refused_with_a_reason(void **state)
{
    assert_refused(STR_NULL, "there are no letters in the name");
    assert_refused(STR(" -.,"), "there are no letters in the name");
    assert_refused(STR("2024"), "there are no letters in the name");
    assert_refused(STR("Ada \xff"), "the name is not UTF-8");
    assert_refused(repeated("a", FOLD_TEXT_MAX + 1), "the name is longer than 400 bytes");
    assert_refused(repeated("ada ", NAME_WORDS_MAX + 1), "the name has more than 12 words");
    assert_refused(repeated("ada,", NAME_WORDS_MAX + 1), "the name has more than 12 words");
    /* One sign that stands for four. */
    assert_refused(
        repeated("\xe3\x8c\x80", FOLD_TEXT_MAX / 3), "the name is longer than 800 letters");
}

static void what_fits_is_taken_to_the_last_letter(void **state)
{
    struct name_parts p;
    struct str longest = repeated("a", FOLD_TEXT_MAX);
    assert_int_equal(name_parts_read(&p, longest, NULL), OK);
    assert_true(str_eq(name_parts_all(&p), longest));
    assert_int_equal(name_parts_read(&p, repeated("ada ", NAME_WORDS_MAX), NULL), OK);
    assert_int_equal(p.count, NAME_WORDS_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_folded),
        cmocka_unit_test(what_stands_behind_a_comma_goes_in_front),
        cmocka_unit_test(titles_degrees_and_parties_are_no_part_of_a_name),
        cmocka_unit_test(a_name_is_never_dropped_whole),
        cmocka_unit_test(a_generation_is_kept_beside_the_words),
        cmocka_unit_test(words_side_by_side_are_one),
        cmocka_unit_test(what_is_no_name_is_refused_with_a_reason),
        cmocka_unit_test(what_fits_is_taken_to_the_last_letter),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
