#include "unit.h"

#include <string.h>

#include "base/fold.h"

static void assert_folds_as(enum fold fold, const char *text, const char *expected)
{
    char space[512];
    struct buf b = buf_over(space, sizeof space);
    assert_int_equal(fold_words(&b, str_from(text), fold), expected[0] != '\0');
    assert_str(buf_view(&b), expected);
}

static void assert_folds(const char *text, const char *expected)
{
    assert_folds_as(FOLD_SEARCH, text, expected);
}

static void case_accents_and_punctuation_do_not_count(void **state)
{
    assert_folds("Ra\xc3\xbal M. Grijalva", "raul m grijalva");
    assert_folds("O'Neil, O\xe2\x80\x99Neil", "oneil oneil");
    assert_folds("Kahana`i Kahana\xca\xbbi", "kahanai kahanai");
    assert_folds(
        "  Jos\xc3\xa9-Mar\xc3\xad"
        "a\t S\xc3\xb8rensen\xe2\x80\x94Stra\xc3\x9f"
        "e ",
        "jose maria sorensen strasse");
    assert_folds(
        "\xef\xbc\xa1"
        "da 2nd",
        "ada 2nd"); /* a full-width A */
}

/* ASCII texts take the fast path. */
static void ascii_folds_equally_with_or_without_other_letters(void **state)
{
    for (enum fold fold = FOLD_SEARCH; fold <= FOLD_ASCII; fold++) {
        char text[128 + 4], alone_space[256], beside_space[256];
        struct buf t = buf_over(text, sizeof text);
        struct buf alone = buf_over(alone_space, sizeof alone_space);
        struct buf beside = buf_over(beside_space, sizeof beside_space);
        for (int c = 1; c < 128; c++)
            buf_char(&t, (char)c);
        assert_true(fold_words(&alone, buf_view(&t), fold));
        buf_text(&alone, " e");
        buf_text(&t, " \xc3\xa9");
        assert_true(fold_words(&beside, buf_view(&t), fold));
        assert_true(str_eq(buf_view(&beside), buf_view(&alone)));
    }
}

static void ascii_fold_keeps_latin_words_only(void **state)
{
    assert_folds_as(FOLD_ASCII, "Ra\xc3\xbal J.D. M. O'Neil", "raul jd m oneil");
    assert_folds_as(FOLD_ASCII, "S\xc3\xb8rensen a\xd0\x98z", "sorensen a z");
    assert_folds_as(FOLD_ASCII, "Kahana\xca\xbbi Kahana\xe2\x80\x98i", "kahana i kahanai");
    assert_folds_as(FOLD_ASCII, "\xd0\x98\xd0\xb2 .", "");
    assert_folds_as(FOLD_ASCII, "a..b c. .d", "a b c d");
    assert_folds("J.D.", "j d");
}

static void letters_of_other_scripts_are_unchanged(void **state)
{
    assert_folds("\xd0\x98\xd0\xb2\xd0\xb0\xd0\xbd", "\xd0\xb8\xd0\xb2\xd0\xb0\xd0\xbd");
}

static void text_without_words_folds_to_nothing(void **state)
{
    char space[512];
    struct buf b = buf_over(space, sizeof space);
    assert_folds("", "");
    assert_folds(" ... ", "");
    assert_folds("abc\xff", "");
    char text[FOLD_TEXT_MAX + 1];
    memset(text, 'a', sizeof text);
    assert_false(fold_words(&b, str_of(text, sizeof text), FOLD_SEARCH));
    assert_true(fold_words(&b, str_of(text, sizeof text - 1), FOLD_SEARCH));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(case_accents_and_punctuation_do_not_count),
        cmocka_unit_test(ascii_folds_equally_with_or_without_other_letters),
        cmocka_unit_test(ascii_fold_keeps_latin_words_only),
        cmocka_unit_test(letters_of_other_scripts_are_unchanged),
        cmocka_unit_test(text_without_words_folds_to_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
