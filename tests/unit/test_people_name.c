#include "unit.h"

#include "people/name.h"
#include "people/slug.h"

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

/* The folded words joined by spaces, and the generation behind a slash. */
static struct str folded(const char *text, enum name_part part)
{
    struct name_words w;
    struct str all = STR("");
    name_fold(&arena, str_from(text), part, &w);
    for (int i = 0; i < w.count; i++)
        all = arena_fmt(&arena, "%.*s%s%.*s", STR_ARG(all), i ? " " : "", STR_ARG(w.word[i]));
    if (!str_is_null(w.generation))
        all = arena_fmt(&arena, "%.*s/%.*s", STR_ARG(all), STR_ARG(w.generation));
    return all;
}

static void accents_case_and_punctuation_are_folded(void **state)
{
    assert_str(folded("Ra\xc3\xbal M.", NAME_FIRST), "raul m");
    assert_str(folded("O'ROURKE", NAME_LAST), "orourke");
    assert_str(folded("O\xe2\x80\x99Rourke", NAME_LAST), "orourke");
    assert_str(folded("Ocasio-Cortez", NAME_LAST), "ocasio cortez");
    assert_str(folded("S\xc3\xb8rensen", NAME_LAST), "sorensen");
    assert_str(folded("J.D.", NAME_FIRST), "jd");
    assert_str(folded("  John \t Q. ", NAME_FIRST), "john q");
}

static void titles_degrees_and_nicknames_are_dropped(void **state)
{
    assert_str(folded("The Honorable John", NAME_FIRST), "john");
    assert_str(folded("Mark Dr", NAME_FIRST), "mark");
    assert_str(folded("James E Hon", NAME_FIRST), "james e");
    assert_str(folded("Dunn, M.D., FACS", NAME_LAST), "dunn");
    assert_str(folded("RAFAEL EDWARD (TED)", NAME_FIRST), "rafael edward");
    assert_str(folded("Robert \"Bobby\" C.", NAME_FIRST), "robert c");
    assert_str(folded("Robert 'Bobby' C.", NAME_FIRST), "robert c");
    assert_str(
        folded(
            "Robert \xe2\x80\x9c"
            "Bobby\xe2\x80\x9d C.",
            NAME_FIRST),
        "robert c");
    assert_str(folded("Robert (Bobby", NAME_FIRST), "robert bobby");
}

static void a_generation_is_kept_beside_the_words(void **state)
{
    assert_str(folded("King, Jr.", NAME_LAST), "king/jr");
    assert_str(folded("Perdue , Jr", NAME_LAST), "perdue/jr");
    assert_str(folded("Begich III", NAME_LAST), "begich/iii");
    /* In a first name a single V is an initial. */
    assert_str(folded("Nicholas V.", NAME_FIRST), "nicholas v");
    /* A name is never dropped whole. */
    assert_str(folded("Do", NAME_LAST), "do");
}

static void text_that_is_no_name_has_no_words(void **state)
{
    assert_str(folded("", NAME_FIRST), "");
    assert_str(folded("\xff\xfe", NAME_FIRST), "");
    assert_str(folded("\xe4\xb8\xad\xe6\x96\x87", NAME_FIRST), "");
    assert_str(folded("...", NAME_FIRST), "");
    assert_str(folded("a b c d e f g h i j k l m n", NAME_FIRST), "");
}

static bool fit(const char *a, const char *b, bool wide)
{
    struct name_words x, y;
    name_fold(&arena, str_from(a), NAME_FIRST, &x);
    name_fold(&arena, str_from(b), NAME_FIRST, &y);
    bool forth = name_given_fit(x.word, x.count, y.word, y.count, wide);
    assert_int_equal(forth, name_given_fit(y.word, y.count, x.word, x.count, wide));
    return forth;
}

static void given_names_fit_up_to_middle_names(void **state)
{
    assert_true(fit("Thomas R", "Thomas", false));
    assert_true(fit("Thomas R", "Thomas Richard", false));
    assert_true(fit("K. Michael", "K. Michael", false));
    assert_true(fit("K Michael", "Kenneth Michael", false));
    assert_true(fit("W. Greg", "Greg", false));
    assert_false(fit("John N", "John F", false));
    assert_false(fit("John Neely", "John Fitzgerald", false));
    assert_false(fit("Elizabeth", "Ernest", true));
}

static void an_initial_alone_never_fits(void **state)
{
    assert_false(fit("E.", "Ernest", true));
    assert_false(fit("E", "E", true));
    assert_false(fit("J. R.", "John Robert", true));
    assert_false(fit("Nicholas V.", "Van", true));
}

static void short_forms_fit_only_where_state_and_term_bear_it_out(void **state)
{
    assert_true(fit("Michael", "Mike", true));
    assert_false(fit("Michael", "Mike", false));
    assert_true(fit("Felix Barry", "Barry", true));
    assert_false(fit("Felix Barry", "Barry", false));
    assert_true(fit("John Thomas", "Tom", true));
    /* Two short forms of one name are different names. */
    assert_false(fit("Bill", "Will", true));
}

static void slugs_are_first_and_last_name_in_ascii(void **state)
{
    struct str id = STR("P000197");
    assert_str(slug_make(&arena, STR("Nancy"), STR("Pelosi"), id), "nancy-pelosi");
    assert_str(slug_make(&arena, STR("Chris"), STR("Van Hollen"), id), "chris-van-hollen");
    assert_str(slug_make(&arena, STR("Beto"), STR("O'Rourke"), id), "beto-orourke");
    assert_str(slug_make(&arena, STR("Ra\xc3\xbal"), STR("Grijalva"), id), "raul-grijalva");
    assert_str(slug_make(&arena, STR("J."), STR("Ocasio-Cortez"), id), "j-ocasio-cortez");
    assert_str(slug_make(&arena, STR("\xe4\xb8\xad"), STR("\xe4\xb8\xad"), id), "p000197");
    assert_str(slug_with_id(&arena, STR("nancy-pelosi"), id), "nancy-pelosi-p000197");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accents_case_and_punctuation_are_folded),
        cmocka_unit_test(titles_degrees_and_nicknames_are_dropped),
        cmocka_unit_test(a_generation_is_kept_beside_the_words),
        cmocka_unit_test(text_that_is_no_name_has_no_words),
        cmocka_unit_test(given_names_fit_up_to_middle_names),
        cmocka_unit_test(an_initial_alone_never_fits),
        cmocka_unit_test(short_forms_fit_only_where_state_and_term_bear_it_out),
        cmocka_unit_test(slugs_are_first_and_last_name_in_ascii),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
