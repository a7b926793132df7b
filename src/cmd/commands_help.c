/* Prints the help from the table of subcommands; see commands.h. */
#include "cmd/commands.h"
#include "cmd/commands_parts.h"
#include "cmd/term/layout.h"
#include "cmd/term/terminal.h"

enum {
    HELP_COLUMNS = 80,
    NAME_COLUMN_MAX = 28, /* a longer name has a line of its own */
    HELP_TEXT_MAX = 1 << 20,
};

/* Shown above the groups; a command that this build lacks is left out. */
static const struct {
    const char *command, *why;
} first_steps[] = {
    {"setup", "fill a new database with the members of Congress"},
    {"demo", "or fill a new database with invented data, to try it"},
    {"serve", "run the server, at http://127.0.0.1:8080"},
    {"status", "see what is there, and what to do next"},
};

struct help {
    struct terminal terminal;
    struct buf text;
    size_t column; /* where the explanations of a list begin */
};

static void help_begin(struct help *h, FILE *to, enum colour_when when)
{
    terminal_init(&h->terminal, to, when);
    if (h->terminal.columns > HELP_COLUMNS)
        h->terminal.columns = HELP_COLUMNS;
    buf_init(&h->text, HELP_TEXT_MAX);
}

static void help_end(struct help *h, FILE *to)
{
    fwrite(h->text.p, 1, h->text.n, to);
    buf_finish(&h->text);
}

static void put_title(struct help *h, const char *title)
{
    buf_char(&h->text, '\n');
    terminal_paint(&h->terminal, &h->text, PAINT_STRONG, str_from(title));
    buf_text(&h->text, ":\n");
}

/* "  left    right", wrapped below itself. */
static void put_row(struct help *h, struct str left, struct str right)
{
    buf_text(&h->text, "  ");
    terminal_paint(&h->terminal, &h->text, PAINT_NAME, left);
    size_t at = 2 + layout_columns(left);
    layout_wrap(
        &h->text, right, at + 2 > h->column ? HELP_COLUMNS : at, h->column,
        (size_t)h->terminal.columns);
}

static size_t column_for(size_t longest)
{
    return 2 + (longest < NAME_COLUMN_MAX ? longest : NAME_COLUMN_MAX) + 2;
}

/* --- one command */

static size_t option_width(const struct option *option)
{
    return strlen("--") + strlen(option->name) + (option->value ? 1 + strlen(option->value) : 0);
}

static void put_option(
    struct help *h, const struct option *option, const char *environment, const char *fallback)
{
    BUF_SCOPED(right, 512);
    BUF_SCOPED(left, 256);
    buf_fmt(&left, "--%s", option->name);
    if (option->value)
        buf_fmt(&left, " %s", option->value);
    buf_text(&right, option->help);
    if (option->required)
        buf_text(&right, " (required)");
    if (environment)
        buf_fmt(&right, " [%s]", environment);
    if (fallback)
        buf_fmt(&right, " (default %s)", fallback);
    put_row(h, buf_view(&left), buf_view(&right));
}

static void put_setting(void *ctx, const struct settings_text *setting)
{
    if (!setting->for_tests)
        put_option(ctx, &setting->flag, setting->environment, setting->fallback);
}

/* Adds a part of the usage line; a part is not broken. */
static void put_part(struct help *h, size_t *at, struct str part)
{
    const size_t indent = 4;
    if (*at + 1 + part.n > (size_t)h->terminal.columns) {
        buf_char(&h->text, '\n');
        layout_spaces(&h->text, indent);
        *at = indent;
    } else if (*at > 0) {
        buf_char(&h->text, ' ');
        ++*at;
    }
    buf_str(&h->text, part);
    *at += part.n;
}

static void put_usage(struct help *h, const struct command *command)
{
    size_t at = 0;
    BUF_SCOPED(part, 512);
    buf_fmt(&part, "usage: stockact %s", command->name);
    if (command->operands)
        buf_fmt(&part, " %s", command->operands);
    put_part(h, &at, buf_view(&part));
    for (size_t i = 0; i < command->option_count; i++) {
        const struct option *option = &command->options[i];
        buf_reset(&part);
        buf_fmt(
            &part, "%s--%s%s%s%s", option->required ? "" : "[", option->name,
            option->value ? " " : "", option->value ? option->value : "",
            option->required ? "" : "]");
        put_part(h, &at, buf_view(&part));
    }
    put_part(h, &at, STR("[--json]"));
    put_part(h, &at, STR("[settings]"));
    buf_char(&h->text, '\n');
}

static void put_sentence(struct help *h, const char *phrase, const char *end)
{
    BUF_SCOPED(sentence, 2048);
    buf_char(&sentence, ascii_upper(phrase[0]));
    buf_fmt(&sentence, "%s%s", phrase + 1, end);
    layout_wrap(&h->text, buf_view(&sentence), 0, 0, (size_t)h->terminal.columns);
}

static size_t longest_option(const struct command *command)
{
    size_t longest = 0;
    for (size_t i = 0; i < command->option_count; i++) {
        size_t wide = option_width(&command->options[i]);
        longest = wide > longest && wide <= NAME_COLUMN_MAX ? wide : longest;
    }
    for (size_t i = 0; i < commands_common_count; i++) {
        size_t wide = option_width(&commands_common[i]);
        longest = wide > longest ? wide : longest;
    }
    return longest;
}

void command_help(const struct command *command, FILE *to, enum colour_when when)
{
    struct help h = {.column = column_for(longest_option(command))};
    help_begin(&h, to, when);
    put_usage(&h, command);
    buf_char(&h.text, '\n');
    put_sentence(&h, command->summary, ".");
    if (command->notes)
        put_sentence(&h, command->notes, "");
    put_title(&h, "options");
    for (size_t i = 0; i < command->option_count; i++)
        put_option(&h, &command->options[i], NULL, NULL);
    for (size_t i = 0; i < commands_common_count; i++)
        put_option(&h, &commands_common[i], NULL, NULL);
    put_title(&h, "settings");
    settings_each(command->scope, put_setting, &h);
    buf_char(&h.text, '\n');
    put_sentence(
        &h,
        "A setting is taken from its flag, else from the variable in brackets, else from the "
        "--config file. `man stockact.conf` lists all.",
        "");
    buf_text(
        &h.text, "Exit status: 0 done, 2 invalid arguments or settings, 1 any other failure.\n");
    help_end(&h, to);
}

/* --- all commands */

static struct str first_word(const struct command *command)
{
    struct str name = str_from(command->name), first = STR_NULL;
    str_split(&name, ' ', &first);
    return first;
}

static bool command_exists(const char *name)
{
    for (size_t i = 0; i < commands_count(); i++)
        if (str_eq(str_from(command_at(i)->name), str_from(name)))
            return true;
    return false;
}

static void put_first_steps(struct help *h)
{
    put_title(h, "first steps");
    h->column = strlen("  $ stockact status  ");
    for (size_t i = 0; i < sizeof first_steps / sizeof *first_steps; i++) {
        BUF_SCOPED(left, 64);
        if (!command_exists(first_steps[i].command))
            continue;
        buf_fmt(&left, "$ stockact %s", first_steps[i].command);
        put_row(h, buf_view(&left), str_from(first_steps[i].why));
    }
}

static void put_group(struct help *h, const struct command_group *group)
{
    size_t longest = 0;
    put_title(h, group->title);
    for (size_t i = 0; i < group->count; i++) {
        size_t wide = strlen(group->commands[i].name);
        if (wide <= NAME_COLUMN_MAX)
            longest = wide > longest ? wide : longest;
    }
    h->column = column_for(longest);
    for (size_t i = 0; i < group->count; i++)
        put_row(h, str_from(group->commands[i].name), str_from(group->commands[i].summary));
}

void commands_help(FILE *to)
{
    struct help h;
    help_begin(&h, to, COLOUR_AUTO);
    buf_text(&h.text, "usage: stockact COMMAND [OPTION...]\n");
    put_first_steps(&h);
    const struct command_group *group;
    for (size_t i = 0; (group = command_group_at(i)); i++)
        put_group(&h, group);
    buf_text(&h.text, "\n`stockact COMMAND --help` shows a command's options and settings.\n");
    help_end(&h, to);
}

bool commands_help_of(struct str word, FILE *to)
{
    struct help h;
    size_t longest = 0;
    bool found = false;
    for (size_t i = 0; i < commands_count(); i++)
        if (str_eq(first_word(command_at(i)), word)) {
            size_t wide = strlen(command_at(i)->name) +
                          (command_at(i)->operands ? 1 + strlen(command_at(i)->operands) : 0);
            longest = wide > longest ? wide : longest;
            found = true;
        }
    if (!found)
        return false;
    help_begin(&h, to, COLOUR_AUTO);
    h.column = column_for(longest);
    buf_fmt(&h.text, "usage: stockact %.*s COMMAND [OPTION...]\n\n", STR_ARG(word));
    for (size_t i = 0; i < commands_count(); i++) {
        BUF_SCOPED(left, 256);
        if (!str_eq(first_word(command_at(i)), word))
            continue;
        buf_text(&left, command_at(i)->name);
        if (command_at(i)->operands)
            buf_fmt(&left, " %s", command_at(i)->operands);
        put_row(&h, buf_view(&left), str_from(command_at(i)->summary));
    }
    buf_fmt(
        &h.text, "\n`stockact %.*s COMMAND --help` shows a command's options and settings.\n",
        STR_ARG(word));
    help_end(&h, to);
    return true;
}
