/* Filling templates, and sections that have everything their tables have. */
#include "unit.h"

#include <string.h>

#include "cmd/commands.h"
#include "manual/completion.h"
#include "manual/page.h"
#include "manual/sample.h"
#include "manual/template.h"

enum { FILLED_MAX = 1 << 20 };

static void names(struct buf *to, const struct template_values *values)
{
    buf_text(to, "ann\nbob\n");
}

static const struct template_section sections[] = {{"names", names}, {NULL, NULL}};
static char place[] = "place=/etc", place_ignored[] = "place=/usr";
static char *const pairs[] = {place, place_ignored};
static const struct template_values values = {pairs, sizeof pairs / sizeof *pairs};

static enum err fill(struct buf *filled, const char *text, struct fail *fail)
{
    buf_init(filled, FILLED_MAX);
    return template_fill(filled, str_from(text), sections, &values, fail);
}

static void assert_filled(const char *text, const char *expected)
{
    struct buf filled;
    assert_int_equal(fill(&filled, text, NULL), OK);
    assert_str(buf_view(&filled), expected);
    buf_finish(&filled);
}

static void section_line_is_replaced_by_its_lines(void **state)
{
    assert_filled("before\n@names@\nafter\n", "before\nann\nbob\nafter\n");
}

static void name_in_line_is_replaced_by_value(void **state)
{
    assert_filled("in @place@/x and @place@\n", "in /etc/x and /etc\n");
    assert_filled("@place@\n", "/etc\n");
}

static void other_characters_are_unchanged(void **state)
{
    assert_filled("ann@example.org, bob@example.org\n@\n", "ann@example.org, bob@example.org\n@\n");
    assert_filled("", "");
}

static void unknown_name_is_refused(void **state)
{
    struct buf filled;
    struct fail fail;
    assert_int_equal(fill(&filled, "@name@\n", &fail), ERR_INVALID);
    assert_non_null(strstr(fail.text, "@name@"));
    buf_finish(&filled);
    assert_int_equal(fill(&filled, "in @names@\n", &fail), ERR_INVALID);
    buf_finish(&filled);
}

static void text_wraps_between_words(void **state)
{
    struct buf to;
    buf_init(&to, FILLED_MAX);
    text_wrap(&to, "# ", 9, STR("one two three four-five-six"));
    assert_str(buf_view(&to), "# one two\n# three\n# four-five-six\n");
    buf_finish(&to);
}

static void assert_has(const struct buf *text, const char *format, const char *name)
{
    struct buf wanted;
    buf_init(&wanted, FILLED_MAX);
    buf_fmt(&wanted, "%s%s", format, name);
    if (str_find(buf_view(text), buf_view(&wanted)) < 0)
        fail_msg("\"%.*s\" is missing", STR_ARG(buf_view(&wanted)));
    buf_finish(&wanted);
}

/* As roff has it. */
static void escaped(struct buf *to, const char *name)
{
    for (; *name; name++)
        buf_fmt(to, "%s%c", *name == '-' ? "\\" : "", *name);
    buf_char(to, '\0');
}

static void manual_and_completion_list_every_command(void **state)
{
    struct buf page, options, name;
    buf_init(&page, FILLED_MAX);
    buf_init(&options, FILLED_MAX);
    page_commands(&page, &values);
    completion_options(&options, &values);
    for (size_t i = 0; i < commands_count(); i++) {
        buf_init(&name, FILLED_MAX);
        escaped(&name, command_at(i)->name);
        assert_has(&page, ".TP\n\\fB", name.p);
        assert_has(&options, "    \"", command_at(i)->name);
        buf_finish(&name);
    }
    buf_finish(&page);
    buf_finish(&options);
}

struct texts {
    struct buf page, test_page, sample;
};

static void assert_setting(void *ctx, const struct settings_text *setting)
{
    const struct texts *texts = ctx;
    struct buf key;
    if (!setting->environment)
        return;
    buf_init(&key, FILLED_MAX);
    text_key(&key, setting->flag.name);
    buf_text(&key, " =");
    buf_char(&key, '\0');
    assert_has(setting->for_tests ? &texts->test_page : &texts->page, "", setting->environment);
    if (!setting->for_tests)
        assert_has(&texts->sample, "\n#", key.p);
    buf_finish(&key);
}

static void manual_and_sample_list_every_setting(void **state)
{
    struct texts texts;
    buf_init(&texts.page, FILLED_MAX);
    buf_init(&texts.test_page, FILLED_MAX);
    buf_init(&texts.sample, FILLED_MAX);
    page_settings(&texts.page, &values);
    page_test_settings(&texts.test_page, &values);
    sample_settings(&texts.sample, &values);
    settings_each(SETTINGS_SERVE, assert_setting, &texts);
    buf_finish(&texts.page);
    buf_finish(&texts.test_page);
    buf_finish(&texts.sample);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(section_line_is_replaced_by_its_lines),
        cmocka_unit_test(name_in_line_is_replaced_by_value),
        cmocka_unit_test(other_characters_are_unchanged),
        cmocka_unit_test(unknown_name_is_refused),
        cmocka_unit_test(text_wraps_between_words),
        cmocka_unit_test(manual_and_completion_list_every_command),
        cmocka_unit_test(manual_and_sample_list_every_setting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
