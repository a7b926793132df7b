#include "unit.h"

#include "names/likeness.h"

static int edits(const char *a, const char *b)
{
    struct str x = str_from(a), y = str_from(b);
    int forth = likeness_edits(x, y, 3);
    assert_int_equal(likeness_edits(y, x, 3), forth);
    return forth;
}

static void each_slip_is_one_edit(void **state)
{
    assert_int_equal(edits("winterhall", "winterhall"), 0);
    assert_int_equal(edits("winterhall", "wintrhall"), 1);
    assert_int_equal(edits("winterhall", "wintterhall"), 1);
    assert_int_equal(edits("winterhall", "wonterhall"), 1);
    assert_int_equal(edits("winterhall", "witnerhall"), 1);
    assert_int_equal(edits("winterhall", "interhall"), 1);
    assert_int_equal(edits("winterhall", "winterhallx"), 1);
    assert_int_equal(edits("winterhall", "witnerhal"), 2);
    assert_int_equal(edits("winterhall", "ferncastle"), 4);
    assert_int_equal(edits("", ""), 0);
    assert_int_equal(edits("", "abc"), 3);
}

static void a_swap_is_not_edited_again(void **state)
{
    assert_int_equal(edits("ca", "abc"), 3);
}

static void edits_beyond_the_maximum_are_not_counted(void **state)
{
    assert_int_equal(likeness_edits(STR("abcdef"), STR("uvwxyz"), 2), 3);
    assert_int_equal(likeness_edits(STR("abcdef"), STR("fedcba"), 2), 3);
    assert_int_equal(likeness_edits(STR("abcdef"), STR("abcdeg"), 0), 1);
    assert_int_equal(likeness_edits(STR("abcdef"), STR("abcdef"), 0), 0);
}

static void long_words_are_equal_or_not_alike(void **state)
{
    char a[LIKENESS_WORD_MAX + 1], b[LIKENESS_WORD_MAX + 1];
    for (size_t i = 0; i < sizeof a; i++)
        a[i] = b[i] = (char)('a' + i % 26);
    b[0] = 'x';
    struct str x = str_of(a, sizeof a), y = str_of(b, sizeof b);
    assert_int_equal(likeness_edits(x, x, 3), 0);
    assert_int_equal(likeness_edits(x, y, 3), 4);
    assert_int_equal(
        likeness_edits(str_of(a, LIKENESS_WORD_MAX), str_of(b, LIKENESS_WORD_MAX), 3), 1);
}

static void short_words_allow_no_slip(void **state)
{
    assert_int_equal(likeness_slips(STR("lee"), STR("leo")), 0);
    assert_int_equal(likeness_slips(STR("hill"), STR("hil")), 1);
    assert_int_equal(likeness_slips(STR("pelosi"), STR("pelosy")), 1);
    assert_int_equal(likeness_slips(STR("winters"), STR("winter")), 2);
    assert_int_equal(likeness_slips(STR("ferncastlery"), STR("ferncastle")), 3);
}

static void words_that_sound_alike_are_found(void **state)
{
    assert_true(likeness_sounds(STR("gates"), STR("gaetz")));
    assert_true(likeness_sounds(STR("philbin"), STR("filben")));
    assert_true(likeness_sounds(STR("shoemer"), STR("schumer")));
    assert_true(likeness_sounds(STR("cassidy"), STR("kasidy")));
    assert_false(likeness_sounds(STR("gates"), STR("bates")));
    assert_false(likeness_sounds(STR("lee"), STR("leigh")));           /* one consonant */
    assert_false(likeness_sounds(STR("marten"), STR("amauretienne"))); /* too far in writing */
    assert_false(likeness_sounds(STR(""), STR("gates")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_slip_is_one_edit),
        cmocka_unit_test(a_swap_is_not_edited_again),
        cmocka_unit_test(edits_beyond_the_maximum_are_not_counted),
        cmocka_unit_test(long_words_are_equal_or_not_alike),
        cmocka_unit_test(short_words_allow_no_slip),
        cmocka_unit_test(words_that_sound_alike_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
