/* The command line as people and scripts write it. */
#include "unit.h"

#include "config/options.h"

static bool is_digit(struct str value)
{
    return value.n == 1 && ascii_is_digit(value.p[0]);
}

static const struct option table[] = {
    {.name = "email", .value = "EMAIL", .required = true},
    {.name = "count", .value = "0-9", .valid = is_digit},
    {.name = "json"},
};

static enum err parse(struct options *o, struct fail *fail, int argc, const char *const *argv)
{
    options_init(o);
    options_know(o, table, sizeof table / sizeof *table);
    return options_parse(o, argc, (char **)(uintptr_t)argv, fail);
}

#define PARSE(o, fail, ...)                                                                        \
    parse(                                                                                         \
        (o), (fail), (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)),                \
        (const char *[]){__VA_ARGS__})

static void a_value_comes_after_a_space_or_an_equals_sign(void **state)
{
    struct options o;
    assert_int_equal(PARSE(&o, NULL, "--email", "a@b", "--count=7"), OK);
    assert_str(options_value(&o, "email"), "a@b");
    assert_str(options_value(&o, "count"), "7");
    assert_false(options_given(&o, "json"));
    options_finish(&o);
}

static void options_stand_before_and_after_operands(void **state)
{
    struct options o;
    assert_int_equal(PARSE(&o, NULL, "one", "--json", "two", "-", "--", "--email"), OK);
    assert_true(options_given(&o, "json"));
    assert_int_equal(o.operand_count, 4);
    assert_str(o.operands[0], "one");
    assert_str(o.operands[1], "two");
    assert_str(o.operands[2], "-");
    assert_str(o.operands[3], "--email");
    assert_false(options_given(&o, "email"));
    options_finish(&o);
}

static void a_value_may_look_like_an_option(void **state)
{
    struct options o;
    assert_int_equal(PARSE(&o, NULL, "--email", "--json"), OK);
    assert_str(options_value(&o, "email"), "--json");
    assert_false(options_given(&o, "json"));
    options_finish(&o);
}

static void wrong_use_is_named(void **state)
{
    static const struct {
        const char *argv[4];
        int argc;
        const char *reason;
    } cases[] = {
        {{"--emial", "x"}, 2, "unknown option --emial"},
        {{"-j"}, 1, "unknown option -j: options have two dashes and a name"},
        {{"--email"}, 1, "option --email wants EMAIL after it"},
        {{"--email="}, 1, "option --email wants EMAIL, not \"\""},
        {{"--count", "ten"}, 2, "option --count wants 0-9, not \"ten\""},
        {{"--json=1"}, 1, "option --json takes no value"},
        {{"--json", "--json"}, 2, "option --json is given twice"},
        {{"--count", "1", "--count=2"}, 3, "option --count is given twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct options o;
        struct fail fail = {0};
        assert_int_equal(parse(&o, &fail, cases[i].argc, cases[i].argv), ERR_INVALID);
        assert_string_equal(fail.text, cases[i].reason);
        options_finish(&o);
    }
}

static void a_required_option_is_missed_by_name(void **state)
{
    struct options o;
    struct fail fail = {0};
    assert_int_equal(PARSE(&o, &fail, "--json"), OK);
    assert_int_equal(options_check_required(&o, &fail), ERR_INVALID);
    assert_string_equal(fail.text, "option --email EMAIL is needed");
    options_finish(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_value_comes_after_a_space_or_an_equals_sign),
        cmocka_unit_test(options_stand_before_and_after_operands),
        cmocka_unit_test(a_value_may_look_like_an_option),
        cmocka_unit_test(wrong_use_is_named),
        cmocka_unit_test(a_required_option_is_missed_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
