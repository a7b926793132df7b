/* The table of subcommands: its invariants, look-up by name, and the help. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"

static void option_names_are_unique_per_command(void **state)
{
    for (size_t c = 0; c < commands_count; c++) {
        struct options o;
        options_init(&o);
        options_know(&o, commands[c].options, commands[c].option_count);
        settings_know_flags(&o, commands[c].scope);
        for (size_t i = 0; i < o.known_count; i++) {
            assert_string_not_equal(o.known[i]->name, "help");
            assert_string_not_equal(o.known[i]->name, "json");
            for (size_t k = i + 1; k < o.known_count; k++)
                assert_string_not_equal(o.known[i]->name, o.known[k]->name);
        }
        options_finish(&o);
    }
}

/* Names are compared by words: `review set` is not a prefix of `review set-filer`. */
static void command_name_is_not_prefix_of_another(void **state)
{
    for (size_t i = 0; i < commands_count; i++)
        for (size_t k = 0; k < commands_count; k++) {
            struct str name = str_from(commands[i].name), other = str_from(commands[k].name);
            bool begins = i != k && str_starts(other, name);
            assert_false(begins && (other.n == name.n || other.p[name.n] == ' '));
        }
}

static void summary_is_one_line_without_period(void **state)
{
    for (size_t i = 0; i < commands_count; i++) {
        struct str summary = str_from(commands[i].summary);
        assert_true(summary.n > 0 && summary.p[summary.n - 1] != '.');
        assert_true(str_find_char(summary, '\n') < 0);
        assert_non_null(commands[i].run);
        assert_int_equal(commands[i].operand_count != 0, commands[i].operands != NULL);
    }
}

static void command_is_found_by_all_its_words(void **state)
{
    char keys[] = "keys", mint[] = "mint", extra[] = "--email", serve[] = "serve";
    char *two[] = {keys, mint, extra}, *one[] = {serve, extra};
    int words = 0;
    const struct command *command = command_find(3, two, &words);
    assert_non_null(command);
    assert_string_equal(command->name, "keys mint");
    assert_int_equal(words, 2);
    command = command_find(2, one, &words);
    assert_non_null(command);
    assert_int_equal(words, 1);
    assert_null(command_find(1, two, &words));
    assert_null(command_find(0, two, &words));
}

static void help_lists_every_option_with_its_value(void **state)
{
    for (size_t c = 0; c < commands_count; c++) {
        char *text = NULL, wanted[64];
        size_t n = 0;
        FILE *to = open_memstream(&text, &n);
        command_help(&commands[c], to);
        fclose(to);
        for (size_t i = 0; i < commands[c].option_count; i++) {
            const struct option *option = &commands[c].options[i];
            snprintf(
                wanted, sizeof wanted, "\n  --%s%s%s", option->name, option->value ? " " : "",
                option->value ? option->value : "");
            assert_non_null(strstr(text, wanted));
            assert_non_null(strstr(text, option->help));
        }
        assert_non_null(strstr(text, "STOCKACT_DATABASE"));
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(option_names_are_unique_per_command),
        cmocka_unit_test(command_name_is_not_prefix_of_another),
        cmocka_unit_test(summary_is_one_line_without_period),
        cmocka_unit_test(command_is_found_by_all_its_words),
        cmocka_unit_test(help_lists_every_option_with_its_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
