#include "arena_fixture.h"

#include "names/name.h"
#include "people/match.h"

static bool fit(const char *a, const char *b, bool wide)
{
    struct name x, y;
    assert_true(name_read_printed(&x, &arena, str_from(a), STR_NULL));
    assert_true(name_read_printed(&y, &arena, str_from(b), STR_NULL));
    bool forth = given_names_fit(x.word, x.count, y.word, y.count, wide);
    assert_int_equal(forth, given_names_fit(y.word, y.count, x.word, x.count, wide));
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
    assert_true(fit("Stefan", "Steve", true));
    /* An unusual short form, and another spelling. */
    assert_false(fit("Alexander", "Sandy", true));
    assert_false(fit("Stephen", "Steven", true));
    /* Two short forms of one name are different names. */
    assert_false(fit("Bill", "Will", true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(given_names_fit_up_to_middle_names),
        cmocka_unit_test(an_initial_alone_never_fits),
        cmocka_unit_test(short_forms_fit_only_where_state_and_term_bear_it_out),
    };
    return cmocka_run_group_tests(tests, arena_setup, arena_teardown);
}
