/* Sections of manual pages; see page.h. */
#include "manual/page.h"

#include "mcp/environment.h"
#include "mcp/tool.h"

enum { TEXT_MAX = 8192 };

/* Escapes text for roff and makes `quoted` words bold. */
static void roff(struct buf *to, struct str text)
{
    bool bold = false;
    if (text.n > 0 && (text.p[0] == '.' || text.p[0] == '\''))
        buf_text(to, "\\&");
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '`') {
            bold = !bold;
            buf_text(to, bold ? "\\fB" : "\\fR");
        } else if (c == '\\') {
            buf_text(to, "\\e");
        } else if (c == '\'') {
            buf_text(to, "\\(aq");
        } else {
            if (c == '-')
                buf_char(to, '\\');
            buf_char(to, c);
        }
    }
}

static void in_font(struct buf *to, char font, const char *text)
{
    buf_fmt(to, "\\f%c", font);
    roff(to, str_from(text));
    buf_text(to, "\\fR");
}

static void sentences(struct buf *to, const char *phrase, const char *notes)
{
    BUF_SCOPED(text, TEXT_MAX);
    text_sentences(&text, phrase, notes);
    roff(to, buf_view(&text));
    buf_char(to, '\n');
}

static void option(struct buf *to, const struct option *option)
{
    buf_text(to, ".TP\n\\fB\\-\\-");
    roff(to, str_from(option->name));
    buf_text(to, "\\fR");
    if (option->value) {
        buf_char(to, ' ');
        in_font(to, 'I', option->value);
    }
    buf_char(to, '\n');
    sentences(to, option->help, option->required ? "Required." : NULL);
}

void page_commands(struct buf *to, const struct template_values *values)
{
    for (size_t c = 0; c < commands_count(); c++) {
        const struct command *command = command_at(c);
        buf_text(to, ".TP\n");
        in_font(to, 'B', command->name);
        if (command->operands) {
            buf_char(to, ' ');
            in_font(to, 'I', command->operands);
        }
        buf_char(to, '\n');
        sentences(to, command->summary, command->notes);
        if (command->option_count > 0)
            buf_text(to, ".RS\n");
        for (size_t i = 0; i < command->option_count; i++)
            option(to, &command->options[i]);
        if (command->option_count > 0)
            buf_text(to, ".RE\n");
    }
}

void page_name(struct buf *to, const struct command *command)
{
    buf_text(to, "stockact-");
    for (const char *p = command->name; *p; p++)
        buf_char(to, *p == ' ' ? '-' : *p);
}

static void put_name(struct buf *to, const struct command *command)
{
    BUF_SCOPED(name, TEXT_MAX);
    page_name(&name, command);
    roff(to, buf_view(&name));
}

static void short_setting(void *ctx, const struct settings_text *of)
{
    struct buf *to = ctx;
    if (of->for_tests)
        return;
    option(to, &of->flag);
    if (of->environment) {
        buf_text(to, "Variable: ");
        in_font(to, 'B', of->environment);
        buf_text(to, ".\n");
    }
    if (of->fallback) {
        buf_text(to, "Default: ");
        in_font(to, 'B', of->fallback);
        buf_text(to, ".\n");
    }
}

/* The commands with the same first word, after the pages that every one refers to. */
static void see_also(struct buf *to, const struct command *of)
{
    struct str rest = str_from(of->name), word = STR_NULL, other = STR_NULL;
    str_split(&rest, ' ', &word);
    buf_text(to, ".SH SEE ALSO\n.BR stockact (1),\n.BR stockact.conf (5)");
    for (size_t i = 0; i < commands_count(); i++) {
        rest = str_from(command_at(i)->name);
        if (str_split(&rest, ' ', &other) && str_eq(other, word) && command_at(i) != of) {
            buf_text(to, ",\n.BR ");
            put_name(to, command_at(i));
            buf_text(to, " (1)");
        }
    }
    buf_char(to, '\n');
}

void page_command(
    struct buf *to, const struct command *command, const struct template_values *values)
{
    BUF_SCOPED(title, TEXT_MAX);
    page_name(&title, command);
    for (size_t i = 0; i < title.n; i++)
        title.p[i] = ascii_upper(title.p[i]);
    buf_text(to, ".\\\" The build writes this from the table of commands.\n.TH ");
    roff(to, buf_view(&title));
    buf_fmt(
        to, " 1 \"\" \"stockact %.*s\" \"User commands\"\n.SH NAME\n",
        STR_ARG(template_value(values, STR("version"))));
    put_name(to, command);
    buf_text(to, " \\- ");
    roff(to, str_from(command->summary));
    buf_text(to, "\n.SH SYNOPSIS\n");
    buf_text(to, "\\fBstockact ");
    roff(to, str_from(command->name));
    buf_text(to, "\\fR");
    if (command->operands) {
        buf_char(to, ' ');
        in_font(to, 'I', command->operands);
    }
    buf_text(to, " [\\fIOPTION\\fR...]\n.SH DESCRIPTION\n");
    sentences(to, command->summary, command->notes);
    buf_text(to, ".SH OPTIONS\n");
    for (size_t i = 0; i < command->option_count; i++)
        option(to, &command->options[i]);
    for (size_t i = 0; i < commands_common_count; i++)
        option(to, &commands_common[i]);
    buf_text(
        to, ".SH SETTINGS\nA flag overrides the variable, the variable overrides the settings file."
            "\n");
    settings_each(command->scope, short_setting, to);
    buf_text(
        to, ".SH EXIT STATUS\n0: done. 2: invalid arguments or settings. 1: any other failure; "
            "standard error has the reason.\n");
    see_also(to, command);
}

static void setting(struct buf *to, const struct settings_text *setting)
{
    BUF_SCOPED(key, TEXT_MAX);
    text_key(&key, setting->flag.name);
    buf_char(&key, '\0');
    buf_text(to, ".TP\n");
    in_font(to, 'B', key.p);
    buf_text(to, " = ");
    in_font(to, 'I', setting->flag.value);
    buf_char(to, '\n');
    sentences(to, setting->flag.help, setting->notes);
    buf_text(to, ".br\n");
    in_font(to, 'B', setting->environment);
    buf_text(to, ", \\fB\\-\\-");
    roff(to, str_from(setting->flag.name));
    buf_text(to, "\\fR. ");
    if (setting->fallback) {
        buf_text(to, "Default: ");
        in_font(to, 'B', setting->fallback);
        buf_text(to, ".\n");
    } else {
        buf_text(to, "Not set by default.\n");
    }
}

static void setting_for_people(void *ctx, const struct settings_text *of)
{
    if (of->environment && !of->for_tests)
        setting(ctx, of);
}

static void setting_for_tests(void *ctx, const struct settings_text *of)
{
    if (of->for_tests)
        setting(ctx, of);
}

void page_settings(struct buf *to, const struct template_values *values)
{
    settings_each(SETTINGS_SERVE, setting_for_people, to);
}

void page_test_settings(struct buf *to, const struct template_values *values)
{
    settings_each(SETTINGS_SERVE, setting_for_tests, to);
}

void page_tools(struct buf *to, const struct template_values *values)
{
    const struct tool *tool;
    for (size_t i = 0; (tool = tool_at(i)); i++) {
        buf_text(to, ".TP\n\\fB");
        roff(to, tool->name);
        buf_text(to, "\\fR\n");
        roff(to, tool->title);
        buf_text(to, ".\n");
    }
}

void page_environment(struct buf *to, const struct template_values *values)
{
    for (int i = 0; i < ENVIRONMENT_COUNT; i++) {
        const struct environment *e = &environment_table[i];
        buf_text(to, ".TP\n");
        in_font(to, 'B', e->name);
        buf_char(to, '\n');
        sentences(to, e->help, e->notes);
        if (e->fallback) {
            buf_text(to, "Default: ");
            in_font(to, 'B', e->fallback);
            buf_text(to, ".\n");
        }
    }
}
