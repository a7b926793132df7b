/* Prints the help from the table of subcommands; see commands.h. */
#include "cmd/commands.h"

enum { HELP_COLUMN = 44 };

/* "  left      right". If left is too long for its column, right goes on the next line. */
static void print_row(FILE *to, const char *left, size_t left_n, const char *right)
{
    if (left_n + 2 > HELP_COLUMN)
        fprintf(to, "  %.*s\n  %*s%s\n", (int)left_n, left, HELP_COLUMN, "", right);
    else
        fprintf(to, "  %-*.*s%s\n", HELP_COLUMN, (int)left_n, left, right);
}

static void print_option(
    FILE *to, const struct option *option, const char *environment, const char *fallback)
{
    struct buf left, right;
    buf_init(&left, 256);
    buf_init(&right, 512);
    buf_fmt(&left, "--%s", option->name);
    if (option->value)
        buf_fmt(&left, " %s", option->value);
    buf_text(&right, option->help);
    if (environment)
        buf_fmt(&right, " [%s]", environment);
    if (fallback)
        buf_fmt(&right, " (default %s)", fallback);
    buf_char(&right, '\0');
    print_row(to, left.p, left.n, right.p);
    buf_finish(&left);
    buf_finish(&right);
}

static void print_setting(void *ctx, const struct settings_text *setting)
{
    print_option(ctx, &setting->flag, setting->environment, setting->fallback);
}

void command_help(const struct command *command, FILE *to)
{
    fprintf(to, "usage: stockact %s", command->name);
    if (command->operands)
        fprintf(to, " %s", command->operands);
    for (size_t i = 0; i < command->option_count; i++) {
        const struct option *option = &command->options[i];
        fprintf(
            to, " %s--%s%s%s%s", option->required ? "" : "[", option->name,
            option->value ? " " : "", option->value ? option->value : "",
            option->required ? "" : "]");
    }
    fprintf(to, " [--json] [settings]\n\n%s.\n\noptions:\n", command->summary);
    for (size_t i = 0; i < command->option_count; i++)
        print_option(to, &command->options[i], NULL, NULL);
    for (size_t i = 0; i < commands_common_count; i++)
        print_option(to, &commands_common[i], NULL, NULL);
    fprintf(
        to,
        "\nsettings (a flag wins over the environment, the environment over the --config file):\n");
    settings_each(command->scope, print_setting, to);
    fprintf(to, "\nexit status: 0 success, 1 failure, 2 invalid arguments\n");
}

bool commands_help(struct str word, FILE *to)
{
    bool found = false;
    for (size_t i = 0; i < commands_count; i++) {
        const struct command *command = &commands[i];
        struct str name = str_from(command->name), first;
        if (!str_split(&name, ' ', &first) || (!str_is_null(word) && !str_eq(first, word)))
            continue;
        if (!found)
            fprintf(to, "usage: stockact COMMAND [OPTION...]\n\n");
        found = true;
        struct buf left;
        buf_init(&left, 256);
        buf_text(&left, command->name);
        if (command->operands)
            buf_fmt(&left, " %s", command->operands);
        print_row(to, left.p, left.n, command->summary);
        buf_finish(&left);
    }
    if (found)
        fprintf(to, "\n`stockact COMMAND --help` shows a command's options and settings.\n");
    return found;
}
