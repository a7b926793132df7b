/* Parsing of the command line. */
#include "unit.h"

#include "config/options.h"
#include "config/values.h"

static bool is_digit(struct str value)
{
    return value.n == 1 && ascii_is_digit(value.p[0]);
}

static const struct option table[] = {
    {.name = "email", .value = "EMAIL", .required = true},
    {.name = "count", .value = "0-9", .valid = is_digit},
    {.name = "reason", .value = "TEXT", .valid = value_is_text},
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

static void value_follows_space_or_equals_sign(void **state)
{
    struct options o;
    assert_int_equal(PARSE(&o, NULL, "--email", "a@b", "--count=7"), OK);
    assert_str(options_value(&o, "email"), "a@b");
    assert_str(options_value(&o, "count"), "7");
    assert_false(options_given(&o, "json"));
    options_finish(&o);
}

static void options_may_precede_and_follow_operands(void **state)
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

static void value_may_look_like_an_option(void **state)
{
    struct options o;
    assert_int_equal(PARSE(&o, NULL, "--email", "--json"), OK);
    assert_str(options_value(&o, "email"), "--json");
    assert_false(options_given(&o, "json"));
    options_finish(&o);
}

static void parse_error_names_the_option(void **state)
{
    static const struct {
        const char *argv[4];
        int argc;
        const char *reason;
    } cases[] = {
        {{"--emial", "x"}, 2, "unknown option \"--emial\" (did you mean \"--email\"?)"},
        {{"-j"}, 1, "unknown option \"-j\": options begin with two dashes"},
        {{"--email"}, 1, "--email needs a value: EMAIL"},
        {{"--email="}, 1, "invalid value \"\" for --email: expected EMAIL"},
        {{"--count", "ten"}, 2, "invalid value \"ten\" for --count: expected 0-9"},
        {{"--reason", "two\nlines"},
         2,
         "invalid value \"two lines\" for --reason: expected one line without hidden characters"},
        {{"--json=1"}, 1, "--json takes no value"},
        {{"--json", "--json"}, 2, "--json is given twice"},
        {{"--count", "1", "--count=2"}, 3, "--count is given twice"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct options o;
        struct fail fail = {0};
        assert_int_equal(parse(&o, &fail, cases[i].argc, cases[i].argv), ERR_INVALID);
        assert_string_equal(fail.text, cases[i].reason);
        options_finish(&o);
    }
}

static void missing_required_option_is_named(void **state)
{
    struct options o;
    struct fail fail = {0};
    assert_int_equal(PARSE(&o, &fail, "--json"), OK);
    assert_int_equal(options_check_required(&o, &fail), ERR_INVALID);
    assert_string_equal(fail.text, "missing option --email EMAIL");
    options_finish(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(value_follows_space_or_equals_sign),
        cmocka_unit_test(options_may_precede_and_follow_operands),
        cmocka_unit_test(value_may_look_like_an_option),
        cmocka_unit_test(parse_error_names_the_option),
        cmocka_unit_test(missing_required_option_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
