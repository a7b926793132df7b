#include "unit.h"

#include "mcp/nicknames.h"

static enum nickname_fit fit(struct str a, struct str b)
{
    struct nicknames names;
    nicknames_find(a, &names);
    return nicknames_fit(&names, b);
}

static size_t count_words(const char *list)
{
    size_t count = 0;
    struct str word, rest = str_from(list);
    while (list[0] && str_split(&rest, ' ', &word))
        count++;
    return count;
}

static struct str word_at(const char *list, size_t at)
{
    struct str word = STR(""), rest = str_from(list);
    for (size_t i = 0; i <= at; i++)
        str_split(&rest, ' ', &word);
    return word;
}

/* Calls back for each word of a family, spellings first. */
static void each_word(
    const struct nickname_family *family,
    void (*visit)(const struct nickname_family *, struct str, bool whole))
{
    for (size_t i = 0; i < count_words(family->whole); i++)
        visit(family, word_at(family->whole, i), true);
    for (size_t i = 0; i < count_words(family->shorter); i++)
        visit(family, word_at(family->shorter, i), false);
}

static void check_spelling(const struct nickname_family *family, struct str word, bool whole)
{
    if (word.n < 2)
        fail_msg("%s: a word of %zu letters", family->whole, word.n);
    for (size_t i = 0; i < word.n; i++)
        if (word.p[i] < 'a' || word.p[i] > 'z')
            fail_msg("%s: \"%.*s\" is not folded", family->whole, STR_ARG(word));
}

static void every_word_is_as_folding_leaves_it(void **state)
{
    size_t count;
    const struct nickname_family *families = nickname_families(&count);
    for (size_t i = 0; i < count; i++)
        each_word(&families[i], check_spelling);
}

static int times_in(const char *list, struct str word)
{
    int times = 0;
    for (size_t i = 0; i < count_words(list); i++)
        times += str_eq(word_at(list, i), word);
    return times;
}

static void check_once(const struct nickname_family *family, struct str word, bool whole)
{
    size_t count;
    const struct nickname_family *families = nickname_families(&count);
    if (times_in(family->whole, word) + times_in(family->shorter, word) != 1)
        fail_msg("%s: \"%.*s\" stands there twice", family->whole, STR_ARG(word));
    int spellings = 0;
    for (size_t i = 0; i < count; i++)
        spellings += times_in(families[i].whole, word);
    if (whole && spellings != 1)
        fail_msg("\"%.*s\" is a spelling of two names", STR_ARG(word));
}

static void families_stand_in_order_and_share_no_spelling(void **state)
{
    size_t count;
    const struct nickname_family *families = nickname_families(&count);
    for (size_t i = 0; i < count; i++) {
        if (i && str_cmp(str_from(families[i - 1].whole), str_from(families[i].whole)) >= 0)
            fail_msg("%s stands behind %s", families[i].whole, families[i - 1].whole);
        each_word(&families[i], check_once);
    }
}

/* A name on its own would do nothing but keep slips from being found. */
static void every_family_relates_names(void **state)
{
    size_t count, pairs = 0;
    const struct nickname_family *families = nickname_families(&count);
    for (size_t i = 0; i < count; i++) {
        size_t whole = count_words(families[i].whole), shorter = count_words(families[i].shorter);
        if (whole + shorter < 2)
            fail_msg("%s stands alone", families[i].whole);
        pairs += whole * shorter + whole * (whole - 1) / 2;
    }
    print_message("%zu families, %zu pairs\n", count, pairs);
    assert_true(pairs >= 300);
}

static void check_both_ways(const struct nickname_family *family, struct str word, bool whole)
{
    struct nicknames names;
    struct str first = word_at(family->whole, 0);
    nicknames_find(word, &names); /* asserts that there is room for its families */
    assert_true(names.count > 0);
    assert_int_equal(fit(word, first), NICKNAME_SAME);
    assert_int_equal(fit(first, word), NICKNAME_SAME);
}

static void every_form_finds_its_name_and_is_found_by_it(void **state)
{
    size_t count;
    const struct nickname_family *families = nickname_families(&count);
    for (size_t i = 0; i < count; i++)
        each_word(&families[i], check_both_ways);
}

static void forms_of_a_name_are_told_from_each_other(void **state)
{
    assert_int_equal(fit(STR("bob"), STR("robert")), NICKNAME_SAME);
    assert_int_equal(fit(STR("steven"), STR("stephen")), NICKNAME_SAME);
    assert_int_equal(fit(STR("ted"), STR("edward")), NICKNAME_SAME);
    assert_int_equal(fit(STR("ted"), STR("theodore")), NICKNAME_SAME);
    assert_int_equal(fit(STR("bill"), STR("will")), NICKNAME_BOTH_SHORT);
    assert_int_equal(fit(STR("edward"), STR("theodore")), NICKNAME_NOT);
    assert_int_equal(fit(STR("john"), STR("james")), NICKNAME_NOT);
}

static void a_name_that_is_not_listed_fits_nothing(void **state)
{
    struct nicknames names;
    nicknames_find(STR("nobodys"), &names);
    assert_int_equal(names.count, 0);
    assert_int_equal(fit(STR("nobodys"), STR("nobodys")), NICKNAME_NOT);
    nicknames_find(STR(""), &names); /* where a family has no short forms */
    assert_int_equal(names.count, 0);
    assert_int_equal(fit(STR("john"), STR("")), NICKNAME_NOT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_is_as_folding_leaves_it),
        cmocka_unit_test(families_stand_in_order_and_share_no_spelling),
        cmocka_unit_test(every_family_relates_names),
        cmocka_unit_test(every_form_finds_its_name_and_is_found_by_it),
        cmocka_unit_test(forms_of_a_name_are_told_from_each_other),
        cmocka_unit_test(a_name_that_is_not_listed_fits_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
