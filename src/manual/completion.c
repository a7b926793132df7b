/* Branches for completion; see completion.h. */
#include "manual/completion.h"

#include <string.h>

#include "base/mem.h"
#include "cmd/commands.h"

enum { WORDS_MAX = 1 << 16 };

static struct str first_word(const struct command *command, struct str *ret_second)
{
    struct str first = STR_NULL;
    *ret_second = str_from(command->name);
    if (!str_split(ret_second, ' ', &first))
        return STR_NULL;
    return first;
}

/* The table lists commands with the same first word together. */
static bool begins_group(size_t c)
{
    struct str second;
    return c == 0 ||
           !str_eq(first_word(&commands[c], &second), first_word(&commands[c - 1], &second));
}

void completion_words(struct buf *to, const struct template_values *values)
{
    struct str second;
    buf_text(to, "    \"\") echo \"");
    for (size_t c = 0; c < commands_count; c++)
        if (begins_group(c))
            buf_fmt(to, "%s%.*s", c ? " " : "", STR_ARG(first_word(&commands[c], &second)));
    buf_text(to, "\" ;;\n");
    for (size_t c = 0; c < commands_count; c++) {
        struct str first = first_word(&commands[c], &second);
        if (str_is_null(second))
            continue;
        if (begins_group(c))
            buf_fmt(to, "    %.*s) echo \"%.*s", STR_ARG(first), STR_ARG(second));
        else
            buf_fmt(to, " %.*s", STR_ARG(second));
        if (c + 1 == commands_count || begins_group(c + 1))
            buf_text(to, "\" ;;\n");
    }
}

static void one_setting(void *ctx, const struct settings_text *setting)
{
    if (!setting->for_tests)
        buf_fmt(ctx, " --%s", setting->flag.name);
}

void completion_options(struct buf *to, const struct template_values *values)
{
    for (size_t c = 0; c < commands_count; c++) {
        const struct command *command = &commands[c];
        buf_fmt(to, "    \"%s\") echo \"", command->name);
        for (size_t i = 0; i < commands_common_count; i++)
            buf_fmt(to, "%s--%s", i ? " " : "", commands_common[i].name);
        for (size_t i = 0; i < command->option_count; i++)
            buf_fmt(to, " --%s", command->options[i].name);
        settings_each(command->scope, one_setting, to);
        buf_text(to, "\" ;;\n");
    }
}

/* Returns true if this alternative is typed as shown. Capitals are placeholders: EMAIL, HH:MM. */
static bool is_literal(struct str text)
{
    for (size_t i = 0; i < text.n; i++)
        if (!(text.p[i] >= 'a' && text.p[i] <= 'z') && !ascii_is_digit(text.p[i]))
            return false;
    return text.n > 0;
}

/* "--role) echo member reviewer admin ;;", once for all commands that share the option. */
static void value_branch(struct buf *to, const struct option *option)
{
    struct buf branch, words;
    struct str rest = str_from(option->value), part;
    if (!option->value)
        return;
    buf_init(&branch, WORDS_MAX);
    buf_init(&words, WORDS_MAX);
    buf_fmt(&branch, "    --%s)", option->name);
    while (str_split(&rest, '|', &part))
        if (is_literal(part) || str_eq(part, STR("FILE")))
            buf_fmt(&words, " %.*s", STR_ARG(part));
    if (str_find(buf_view(to), buf_view(&branch)) < 0) {
        buf_str(to, buf_view(&branch));
        if (words.n > 0)
            buf_fmt(to, " echo%.*s", STR_ARG(buf_view(&words)));
        buf_text(to, " ;;\n");
    }
    buf_finish(&branch);
    buf_finish(&words);
}

static void setting_branch(void *ctx, const struct settings_text *setting)
{
    value_branch(ctx, &setting->flag);
}

void completion_values(struct buf *to, const struct template_values *values)
{
    struct buf branches;
    buf_init(&branches, WORDS_MAX);
    for (size_t c = 0; c < commands_count; c++)
        for (size_t i = 0; i < commands[c].option_count; i++)
            value_branch(&branches, &commands[c].options[i]);
    settings_each(SETTINGS_SERVE, setting_branch, &branches);
    buf_str(to, buf_view(&branches));
    buf_finish(&branches);
}
