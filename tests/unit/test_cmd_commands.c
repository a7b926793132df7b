/* The table of subcommands: its invariants, look-up by name, and the help. */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/commands.h"
#include "cmd/term/layout.h"

static void option_names_are_unique_per_command(void **state)
{
    for (size_t c = 0; c < commands_count(); c++) {
        struct options o;
        options_init(&o);
        options_know(&o, command_at(c)->options, command_at(c)->option_count);
        settings_know_flags(&o, command_at(c)->scope);
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
    for (size_t i = 0; i < commands_count(); i++)
        for (size_t k = 0; k < commands_count(); k++) {
            struct str name = str_from(command_at(i)->name), other = str_from(command_at(k)->name);
            bool begins = i != k && str_starts(other, name);
            assert_false(begins && (other.n == name.n || other.p[name.n] == ' '));
        }
}

static void summary_is_one_line_without_period(void **state)
{
    for (size_t i = 0; i < commands_count(); i++) {
        struct str summary = str_from(command_at(i)->summary);
        assert_true(summary.n > 0 && summary.p[summary.n - 1] != '.');
        assert_true(str_find_char(summary, '\n') < 0);
        assert_int_equal(!command_at(i)->run + !command_at(i)->read + !command_at(i)->review, 2);
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

static char *help_of(const struct command *command)
{
    char *text = NULL;
    size_t n = 0;
    FILE *to = open_memstream(&text, &n);
    if (command)
        command_help(command, to, COLOUR_AUTO);
    else
        commands_help(to);
    fclose(to);
    return text;
}

/* Line feeds and runs of blanks as one blank. */
static void unwrap(char *text)
{
    char *to = text;
    for (const char *p = text; *p; p++)
        if (!ascii_is_space(*p))
            *to++ = *p;
        else if (to == text || to[-1] != ' ')
            *to++ = ' ';
    *to = '\0';
}

static void help_lists_every_option_with_its_value(void **state)
{
    for (size_t c = 0; c < commands_count(); c++) {
        char *text = help_of(command_at(c)), wanted[64];
        for (size_t i = 0; i < command_at(c)->option_count; i++) {
            const struct option *option = &command_at(c)->options[i];
            snprintf(
                wanted, sizeof wanted, "\n  --%s%s%s", option->name, option->value ? " " : "",
                option->value ? option->value : "");
            assert_non_null(strstr(text, wanted));
        }
        unwrap(text);
        for (size_t i = 0; i < command_at(c)->option_count; i++)
            assert_non_null(strstr(text, command_at(c)->options[i].help));
        free(text);
    }
}

static void assert_lines_fit(char *text)
{
    struct str rest = str_from(text), line;
    while (str_split(&rest, '\n', &line))
        if (layout_columns(line) > 80)
            fail_msg("longer than 80 columns: %.*s", STR_ARG(line));
    free(text);
}

static void help_fits_80_columns(void **state)
{
    assert_lines_fit(help_of(NULL));
    for (size_t c = 0; c < commands_count(); c++)
        assert_lines_fit(help_of(command_at(c)));
}

static void overview_has_every_command(void **state)
{
    char *text = help_of(NULL), wanted[64];
    for (size_t c = 0; c < commands_count(); c++) {
        snprintf(wanted, sizeof wanted, "\n  %s", command_at(c)->name);
        assert_non_null(strstr(text, wanted));
    }
    free(text);
}

static void help_shows_only_settings_that_concern_the_command(void **state)
{
    char *serve = NULL, *keys = NULL;
    for (size_t c = 0; c < commands_count(); c++)
        if (strcmp(command_at(c)->name, "serve") == 0)
            serve = help_of(command_at(c));
        else if (strcmp(command_at(c)->name, "keys list") == 0)
            keys = help_of(command_at(c));
    assert_non_null(strstr(serve, "--second-reviewer"));
    assert_null(strstr(keys, "--second-reviewer"));
    assert_non_null(strstr(keys, "STOCKACT_DATABASE"));
    assert_null(strstr(keys, "--test-clock"));
    free(serve);
    free(keys);
}

static void assert_like(const char *first, const char *second, const char *expected)
{
    char words[2][64];
    char *argv[] = {words[0], words[1]};
    snprintf(words[0], sizeof words[0], "%s", first);
    snprintf(words[1], sizeof words[1], "%s", second ? second : "");
    const char *like = command_like(second ? 2 : 1, argv);
    assert_int_equal(like != NULL, expected != NULL);
    if (like)
        assert_string_equal(like, expected);
}

static void mistyped_commands_have_a_suggestion(void **state)
{
    assert_like("sreve", NULL, "serve");
    assert_like("keys", "mnit", "keys mint");
    assert_like("account", "list", "accounts list");
    assert_like("migrat", "--json", "migrate");
    assert_like("mint", NULL, "keys mint");
    assert_like("xyzzy", NULL, NULL);
    assert_like("", NULL, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(option_names_are_unique_per_command),
        cmocka_unit_test(command_name_is_not_prefix_of_another),
        cmocka_unit_test(summary_is_one_line_without_period),
        cmocka_unit_test(command_is_found_by_all_its_words),
        cmocka_unit_test(help_lists_every_option_with_its_value),
        cmocka_unit_test(help_fits_80_columns),
        cmocka_unit_test(overview_has_every_command),
        cmocka_unit_test(help_shows_only_settings_that_concern_the_command),
        cmocka_unit_test(mistyped_commands_have_a_suggestion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
