#include "arena_fixture.h"

#include "mcp/name_rank.h"

/* The people are invented. */
struct somebody {
    const char *name;
    const char *slug;
};

static const struct somebody ada = {"Ada Winterhall", "ada-winterhall"};
static const struct somebody bobby = {"Robert C. \"Bobby\" Ferncastle", "robert-ferncastle"};
static const struct somebody junior = {"Walter M. Pinebrook, Jr.", "walter-pinebrook"};
static const struct somebody third = {"Walter Pinebrook III", "walter-pinebrook-p000002"};
static const struct somebody doubled = {"Debra Oakley Brandt", "debra-oakley-brandt"};
static const struct somebody particle = {"Chris Van Aldern", "chris-van-aldern"};
static const struct somebody middle = {"Marjorie Lake Sutter", "marjorie-sutter"};
static const struct somebody initials = {"J. D. Quarrel", "j-d-quarrel"};
static const struct somebody accented = {
    "Ra\xc3\xbal M. Pe\xc3\xb1"
    "alver",
    "raul-penalver"};

static struct name_score score_of(const char *typed, struct str name, struct str slug)
{
    struct name_query q;
    struct fail fail = {0};
    if (name_query_init(&q, str_from(typed), &arena, &fail))
        fail_msg("\"%s\": %s", typed, fail.text);
    return name_query_score(&q, name, slug);
}

static struct name_score score(const char *typed, struct somebody who)
{
    return score_of(typed, str_from(who.name), str_from(who.slug));
}

static void assert_why(const char *typed, struct somebody who, enum name_why why)
{
    struct name_score got = score(typed, who);
    if (got.why != why || got.permille < NAME_SCORE_SHOWN)
        fail_msg(
            "\"%s\" for %s: %d, %s; expected: %s", typed, who.name, got.permille,
            name_why_text(got.why), name_why_text(why));
}

static void assert_not_shown(const char *typed, struct somebody who)
{
    struct name_score got = score(typed, who);
    if (got.permille >= NAME_SCORE_SHOWN)
        fail_msg("\"%s\" for %s: %d, %s", typed, who.name, got.permille, name_why_text(got.why));
}

/* What is typed means the first rather than the second. */
static void assert_rather(const char *typed, struct somebody a, struct somebody b)
{
    struct name_score x = score(typed, a), y = score(typed, b);
    if (x.permille <= y.permille)
        fail_msg(
            "\"%s\": %s %d (%s), %s %d (%s)", typed, a.name, x.permille, name_why_text(x.why),
            b.name, y.permille, name_why_text(y.why));
}

static void a_name_fits_itself_with_the_full_score(void **state)
{
    const struct somebody all[] = {ada,      bobby,  junior,   doubled,
                                   particle, middle, initials, accented};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        assert_int_equal(score(all[i].name, all[i]).permille, NAME_SCORE_SAME);
        assert_int_equal(
            score_of(all[i].name, str_from(all[i].name), STR_NULL).permille, NAME_SCORE_SAME);
    }
}

static void case_accents_titles_and_punctuation_do_not_count(void **state)
{
    const char *const typed[] = {
        "ADA WINTERHALL",           "Sen. Ada Winterhall",           "Winterhall, Ada",
        "Hon. Winterhall, Ada",     "Ada Winterhall (D-OR)",         "ada winterhall!",
        "U.S. Rep. ada winterhall", "Congresswoman Ada Winter-Hall",
    };
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
        assert_int_equal(score(typed[i], ada).permille, NAME_SCORE_SAME);
    assert_int_equal(score("Raul M Penalver", accented).permille, NAME_SCORE_SAME);
    assert_int_equal(score("Ra\xc3\xbal m pen\xc3\xa1lver", accented).permille, NAME_SCORE_SAME);
}

static void a_slug_is_found_by_itself(void **state)
{
    assert_why("ada-winterhall", ada, WHY_SLUG);
    assert_why("ada_winterhall", ada, WHY_SLUG);
    assert_why("robert-ferncastle", bobby, WHY_SLUG);
    assert_why("walter-pinebrook-p000002", third, WHY_SLUG);
    assert_int_equal(score("robert-ferncastle", bobby).permille, NAME_SCORE_SAME);
    assert_rather("walter-pinebrook", junior, third);
    assert_rather("walter-pinebrook-p000002", third, junior);
}

static void what_differs_is_told(void **state)
{
    assert_why("Ada Winterhall", ada, WHY_SAME);
    assert_why("Robert Ferncastle", bobby, WHY_NAMES);
    assert_why("Bob Ferncastle", bobby, WHY_NICKNAME);
    assert_why("R. Ferncastle", bobby, WHY_INITIAL);
    assert_why("Lake Sutter", middle, WHY_MIDDLE);
    assert_why("Adda Winterhall", ada, WHY_FIRST_SPELLING);
    assert_why("Ada Winterhal", ada, WHY_ONE_LETTER);
    assert_why("Ada Wintrhal", ada, WHY_SPELLING);
    assert_why("Robert Fernkasteel", bobby, WHY_SOUND);
    assert_why("Ada Winter", ada, WHY_BEGINNING);
    assert_why("Debra Oakley", doubled, WHY_PART);
    assert_why("Marjorie Lake", middle, WHY_MIDDLE_AS_LAST);
    assert_why("Ada W.", ada, WHY_LAST_INITIAL);
    assert_why("Winterhall Ada", ada, WHY_ORDER);
    assert_why("Ada Winterhall trades", ada, WHY_SURPLUS);
    assert_why("AdaWinterhal", ada, WHY_TOGETHER);
    assert_why("Winterhall", ada, WHY_LAST_ONLY);
    assert_why("Ada", ada, WHY_FIRST_ONLY);
    assert_why("DOB", doubled, WHY_INITIALS);
    assert_why("Eve Winterhall", ada, WHY_OTHER_FIRST);
    assert_why("Walter Pinebrook Jr.", third, WHY_GENERATION);
    assert_int_equal(score("Xyzzy Quux", ada).why, WHY_NOTHING);
}

static void every_reason_has_a_text(void **state)
{
    for (int why = 0; why < WHY_COUNT; why++) {
        assert_non_null(name_why_text((enum name_why)why));
        for (int other = 0; other < why; other++)
            assert_string_not_equal(
                name_why_text((enum name_why)why), name_why_text((enum name_why)other));
    }
}

static void middle_names_may_be_on_one_side_only(void **state)
{
    assert_why("Lake", middle, WHY_FIRST_ONLY);
    assert_why("Gabe", (struct somebody){"Gabe Sutter", "gabriel-gabe-sutter"}, WHY_FIRST_ONLY);
    assert_why("Robert Ferncastle", bobby, WHY_NAMES);
    assert_why("Bobby Ferncastle", bobby, WHY_NICKNAME);
    assert_why("Ferncastle, Robert C.", bobby, WHY_NAMES);
    assert_why("Ada M. Winterhall", ada, WHY_SURPLUS);
    assert_true(score("Ada Margaret Winterhall", ada).permille > 900);
    assert_true(score("C. Robert Ferncastle", bobby).permille > 900);
    /* Another initial is a doubt. */
    assert_rather("Robert C. Ferncastle", bobby, (struct somebody){"Robert D. Ferncastle", NULL});
    assert_rather("Ada M. Winterhall", ada, (struct somebody){"Ada N. Winterhall", NULL});
}

static void initials_stand_for_names(void **state)
{
    assert_why("JD Quarrel", initials, WHY_SAME);
    assert_why("J.D. Quarrel", initials, WHY_SAME);
    assert_why("James David Quarrel", initials, WHY_INITIAL);
    assert_why("JD Quarrel", (struct somebody){"James David Quarrel", NULL}, WHY_INITIAL);
    assert_why("J Quarrel", initials, WHY_INITIAL);
    assert_why("D.O.B.", doubled, WHY_INITIALS);
    assert_why("mls", middle, WHY_INITIALS);
    assert_why("C. Ferncastle", bobby, WHY_OTHER_FIRST); /* a middle initial alone is a doubt */
    assert_not_shown("AW", ada);                         /* two letters are anybody's */
}

static void last_names_of_several_words_may_be_run_together_or_cut(void **state)
{
    assert_why("Chris VanAldern", particle, WHY_SAME);
    assert_why("vanaldern", particle, WHY_LAST_ONLY);
    assert_why("Van Aldern", particle, WHY_LAST_ONLY);
    assert_why("Aldern, Chris Van", particle, WHY_SAME);
    assert_why("Oakley-Brandt", doubled, WHY_LAST_ONLY);
    assert_why("Brandt, Debbie", doubled, WHY_PART);
    assert_why("Oakley", doubled, WHY_LAST_ONLY);
    assert_rather("Brandt", (struct somebody){"Eve Brandt", "eve-brandt"}, doubled);
    assert_rather("Winter Hall", ada, (struct somebody){"Eve Hall", "eve-hall"});
}

static void a_generation_tells_namesakes_apart(void **state)
{
    assert_rather("Walter Pinebrook Jr", junior, third);
    assert_rather("Pinebrook III, Walter", third, junior);
    assert_int_equal(score("Walter M Pinebrook", junior).permille, NAME_SCORE_SAME - 5);
    assert_int_equal(score("Ada Winterhall Jr", ada).permille, NAME_SCORE_SAME - 10);
}

static void the_first_name_tells_people_of_one_last_name_apart(void **state)
{
    const struct somebody mary = {"Mary Winterhall", "mary-winterhall"};
    const struct somebody mark = {"Mark Winterhall", "mark-winterhall"};
    assert_rather("Mary Winterhall", mary, mark);
    assert_rather("Mark Winterhall", mark, mary);
    assert_rather("Ada Winterhall", ada, mary);
    assert_rather("Adah Winterhall", ada, mary);
    assert_rather("M. Winterhall", mary, ada);
    /* Two names that are known are no slip for each other. */
    assert_why("Mary Winterhall", mark, WHY_OTHER_FIRST);
    /* The right last name with another first name stands behind a last name alone. */
    assert_true(score("Eve Winterhall", ada).permille < score("Winterhall", ada).permille);
}

static void better_fits_score_higher(void **state)
{
    const char *const typed[] = {
        "Robert C. Bobby Ferncastle",
        "Robert Ferncastle",
        "Bob Ferncastle",
        "R. Ferncastle",
        "R. Ferncastel",
        "Ferncastle",
        "Robert F",
        "Robert"};
    for (size_t i = 1; i < sizeof typed / sizeof *typed; i++)
        if (score(typed[i], bobby).permille >= score(typed[i - 1], bobby).permille)
            fail_msg("\"%s\" is not below \"%s\"", typed[i], typed[i - 1]);
}

static void nobody_is_shown_for_a_name_that_is_not_there(void **state)
{
    const char *const typed[] = {
        "Xyzzy",       "Eve Xyzzy",      "Ada Xyzzy", "Winterhall Xyzzy Quux",
        "Ann Wintrhl", "Ferncastle Ada", "A",         "AB",
        "Lake",        "Ada Oakley",     "Ad Xyzzy"};
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++)
        assert_not_shown(typed[i], ada);
    assert_not_shown("Sut", middle);
    assert_not_shown("Bobby Winterhall Xyzzy", bobby);
}

static void either_name_or_slug_is_enough(void **state)
{
    assert_int_equal(score_of("Ada Winterhall", STR_NULL, STR("ada-winterhall")).permille, 1000);
    assert_int_equal(score_of("Ada Winterhall", STR("Ada Winterhall"), STR_NULL).permille, 1000);
    assert_int_equal(score_of("Ada Winterhall", STR_NULL, STR_NULL).permille, 0);
    assert_int_equal(score_of("Ada Winterhall", STR("\xff"), STR("")).permille, 0);
    /* A name that was taken later, with the slug of the earlier one. */
    assert_true(
        score_of("Ada Winterhall", STR("Ada Brandt"), STR("ada-winterhall")).permille > 900);
    assert_true(score_of("Brandt", STR("Ada Brandt"), STR("ada-winterhall")).permille > 700);
    assert_true(score_of("Cher", STR("Cher"), STR("cher")).permille == NAME_SCORE_SAME);
}

static void what_is_no_name_is_refused(void **state)
{
    struct name_query q;
    struct fail fail = {0};
    assert_int_equal(name_query_init(&q, STR(" - "), &arena, &fail), ERR_INVALID);
    assert_string_equal(fail.text, "the name has no Latin letters");
    fail = (struct fail){0};
    assert_int_equal(
        name_query_init(&q, STR("\xe4\xb8\xad\xe6\x96\x87"), &arena, &fail), ERR_INVALID);
    assert_string_equal(fail.text, "the name has no Latin letters");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_fits_itself_with_the_full_score),
        cmocka_unit_test(case_accents_titles_and_punctuation_do_not_count),
        cmocka_unit_test(a_slug_is_found_by_itself),
        cmocka_unit_test(what_differs_is_told),
        cmocka_unit_test(every_reason_has_a_text),
        cmocka_unit_test(middle_names_may_be_on_one_side_only),
        cmocka_unit_test(initials_stand_for_names),
        cmocka_unit_test(last_names_of_several_words_may_be_run_together_or_cut),
        cmocka_unit_test(a_generation_tells_namesakes_apart),
        cmocka_unit_test(the_first_name_tells_people_of_one_last_name_apart),
        cmocka_unit_test(better_fits_score_higher),
        cmocka_unit_test(nobody_is_shown_for_a_name_that_is_not_there),
        cmocka_unit_test(either_name_or_slug_is_enough),
        cmocka_unit_test(what_is_no_name_is_refused),
    };
    return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}
