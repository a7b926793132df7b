#include "arena_fixture.h"

#include "base/mem.h"
#include "names/name.h"

static struct name typed(const char *text)
{
    struct name p;
    struct fail fail = {0};
    if (name_read_typed(&p, &arena, str_from(text), &fail))
        fail_msg("\"%s\": %s", text, fail.text);
    return p;
}

/* The words with a space between them. */
static struct str joined(const struct name *n)
{
    struct str all = STR("");
    for (int i = 0; i < n->count; i++)
        all = arena_fmt(&arena, "%.*s%s%.*s", STR_ARG(all), i ? " " : "", STR_ARG(n->word[i]));
    return all;
}

static struct str words(const char *text)
{
    struct name p = typed(text);
    return joined(&p);
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
    assert_str(words("Senator Winterhall of New York"), "winterhall");
    assert_str(words("Rep. Ada Winterhall from the 4th district of Ohio"), "ada winterhall");
    assert_str(words("Winterhall of Ohio, Ada"), "ada winterhall");
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
    assert_str(words("of Ohio"), "of ohio");
    assert_str(words("Senator, Ada Winterhall"), "ada winterhall");
}

static void a_generation_is_kept_beside_the_words(void **state)
{
    assert_true(str_is_null(typed("Walter Pinebrook").generation));
    assert_str(typed("Walter Pinebrook Jr.").generation, "jr");
    assert_str(typed("Walter Pinebrook II").generation, "ii");
    assert_str(typed("Pinebrook, Sr, Walter").generation, "sr");
    assert_str(typed("Walter Pinebrook, III (D-NV)").generation, "iii");
    assert_str(typed("Walter Pinebrook 4th").generation, "iv");
    /* A single V is an initial. */
    assert_str(words("Pinebrook, Walter V."), "walter v pinebrook");
}

static void words_side_by_side_are_one(void **state)
{
    struct name p = typed("Ada Van Winter Hall");
    assert_str(name_span(&p, 1, 3), "vanwinterhall");
    assert_str(name_span(&p, 2, 1), "winter");
    assert_str(name_span(&p, 0, p.count), "adavanwinterhall");
    assert_true(name_initials(&p, 0, 4, STR("avwh")));
    assert_true(name_initials(&p, 2, 2, STR("wh")));
    assert_false(name_initials(&p, 0, 4, STR("avwx")));
    assert_false(name_initials(&p, 0, 4, STR("avw")));
}

static void assert_refused(struct str text, const char *reason)
{
    struct name p;
    struct fail fail = {0};
    assert_int_equal(name_read_typed(&p, &arena, text, &fail), ERR_INVALID);
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
    assert_refused(STR_NULL, "the name has no Latin letters");
    assert_refused(STR(" -.,"), "the name has no Latin letters");
    assert_refused(STR("2024"), "the name has no Latin letters");
    assert_refused(STR("Ada \xff"), "the name is not UTF-8");
    assert_refused(repeated("a", FOLD_TEXT_MAX + 1), "the name is longer than 400 bytes");
    assert_refused(repeated("ada ", NAME_WORDS_MAX + 1), "the name has more than 12 words");
    assert_refused(repeated("ada,", NAME_WORDS_MAX + 1), "the name has more than 12 words");
    assert_refused(STR("\xe4\xb8\xad\xe6\x96\x87"), "the name has no Latin letters");
    /* One character that folds to four letters of another script. */
    assert_refused(repeated("\xe3\x8c\x80", FOLD_TEXT_MAX / 3), "the name has no Latin letters");
}

static void what_fits_is_taken_to_the_last_letter(void **state)
{
    struct name p;
    struct str longest = repeated("a", FOLD_TEXT_MAX);
    assert_int_equal(name_read_typed(&p, &arena, longest, NULL), OK);
    assert_true(str_eq(name_span(&p, 0, p.count), longest));
    assert_int_equal(name_read_typed(&p, &arena, repeated("ada ", NAME_WORDS_MAX), NULL), OK);
    assert_int_equal(p.count, NAME_WORDS_MAX);
}

/* The words of a printed name, and the generation behind a slash. */
static struct str printed(const char *first, const char *last)
{
    struct name n;
    bool read = name_read_printed(&n, &arena, str_from(first), str_from(last));
    assert_int_equal(read, n.count > 0);
    struct str all = joined(&n);
    if (!str_is_null(n.generation))
        all = arena_fmt(&arena, "%.*s/%.*s", STR_ARG(all), STR_ARG(n.generation));
    return all;
}

static void printed_name_is_folded_to_ascii(void **state)
{
    assert_str(printed("Ra\xc3\xbal M.", NULL), "raul m");
    assert_str(printed(NULL, "O'ROURKE"), "orourke");
    assert_str(printed(NULL, "O\xe2\x80\x99Rourke"), "orourke");
    assert_str(printed(NULL, "Ocasio-Cortez"), "ocasio cortez");
    assert_str(printed(NULL, "S\xc3\xb8rensen"), "sorensen");
    assert_str(printed("J.D.", NULL), "jd");
    assert_str(printed("  John \t Q. ", NULL), "john q");
}

static void printed_name_drops_titles_degrees_and_nicknames(void **state)
{
    assert_str(printed("The Honorable John", NULL), "john");
    assert_str(printed("Mark Dr", NULL), "mark");
    assert_str(printed("James E Hon", NULL), "james e");
    assert_str(printed(NULL, "Dunn, M.D., FACS"), "dunn");
    assert_str(printed("Neal Patrick MD, FACS", NULL), "neal patrick");
    assert_str(printed("Paul, Ph.D.", NULL), "paul");
    assert_str(printed(NULL, "Hon. Dr. Brian Babin, D.D.S."), "brian babin");
    assert_str(printed(NULL, "Mary Vale Esq., CPA"), "mary vale");
    assert_str(printed(NULL, "Mary Vale Jr., DVM"), "mary vale/jr");
    assert_str(printed("Neal", "Dunn BSN, RN (Ret.)"), "neal dunn");
    assert_str(printed("Ma", "Do"), "ma do");
    assert_str(printed("RAFAEL EDWARD (TED)", NULL), "rafael edward");
    assert_str(printed("Robert \"Bobby\" C.", NULL), "robert c");
    assert_str(printed("Robert 'Bobby' C.", NULL), "robert c");
    assert_str(
        printed(
            "Robert \xe2\x80\x9c"
            "Bobby\xe2\x80\x9d C.",
            NULL),
        "robert c");
    assert_str(printed("Robert (Bobby", NULL), "robert bobby");
}

static void printed_name_keeps_its_generation_apart(void **state)
{
    assert_str(printed(NULL, "King, Jr."), "king/jr");
    assert_str(printed(NULL, "Perdue , Jr"), "perdue/jr");
    assert_str(printed(NULL, "Begich III"), "begich/iii");
    /* In a first name a single V is an initial. */
    assert_str(printed("Nicholas V.", NULL), "nicholas v");
    /* A name is never dropped whole. */
    assert_str(printed(NULL, "Do"), "do");
    assert_str(printed("Nicholas", "Begich III"), "nicholas begich/iii");
    assert_str(printed(NULL, "Rogers V"), "rogers/v");
}

static void printed_text_without_a_name_has_no_words(void **state)
{
    assert_str(printed("", NULL), "");
    assert_str(printed("\xff\xfe", NULL), "");
    assert_str(printed("\xe4\xb8\xad\xe6\x96\x87", NULL), "");
    assert_str(printed("...", NULL), "");
    assert_str(printed("a b c d e f g h i j k l m n", NULL), "");
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
        cmocka_unit_test(printed_name_is_folded_to_ascii),
        cmocka_unit_test(printed_name_drops_titles_degrees_and_nicknames),
        cmocka_unit_test(printed_name_keeps_its_generation_apart),
        cmocka_unit_test(printed_text_without_a_name_has_no_words),
    };
    return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}
