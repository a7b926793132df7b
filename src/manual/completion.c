/* Branches for completion; see completion.h. */
#include "manual/completion.h"

#include <string.h>

#include "base/mem.h"
#include "manual/completion_parts.h"

enum { WORDS_MAX = 1 << 16 };

struct str completion_first(const struct command *command, struct str *ret_second)
{
    struct str first = STR_NULL;
    *ret_second = str_from(command->name);
    if (!str_split(ret_second, ' ', &first))
        return STR_NULL;
    return first;
}

bool completion_begins_group(size_t c)
{
    struct str second;
    return c == 0 || !str_eq(
                         completion_first(command_at(c), &second),
                         completion_first(command_at(c - 1), &second));
}

void completion_words(struct buf *to, const struct template_values *values)
{
    struct str second;
    buf_text(to, "    \"\") echo \"");
    for (size_t c = 0; c < commands_count(); c++)
        if (completion_begins_group(c))
            buf_fmt(to, "%s%.*s", c ? " " : "", STR_ARG(completion_first(command_at(c), &second)));
    buf_text(to, "\" ;;\n");
    for (size_t c = 0; c < commands_count(); c++) {
        struct str first = completion_first(command_at(c), &second);
        if (str_is_null(second))
            continue;
        if (completion_begins_group(c))
            buf_fmt(to, "    %.*s) echo \"%.*s", STR_ARG(first), STR_ARG(second));
        else
            buf_fmt(to, " %.*s", STR_ARG(second));
        if (c + 1 == commands_count() || completion_begins_group(c + 1))
            buf_text(to, "\" ;;\n");
    }
}

struct option_walk {
    completion_option_fn *fn;
    void *ctx;
};

static void walk_setting(void *ctx, const struct settings_text *setting)
{
    const struct option_walk *walk = ctx;
    if (!setting->for_tests)
        walk->fn(walk->ctx, &setting->flag);
}

void completion_each_option(const struct command *command, completion_option_fn *fn, void *ctx)
{
    struct option_walk walk = {fn, ctx};
    for (size_t i = 0; i < commands_common_count; i++)
        fn(ctx, &commands_common[i]);
    for (size_t i = 0; i < command->option_count; i++)
        fn(ctx, &command->options[i]);
    settings_each(command->scope, walk_setting, &walk);
}

bool completion_takes_files(const struct command *command)
{
    struct str operands = str_from(command->operands);
    return operands.n > 0 && (str_find_word(operands, STR("FILE"), 0) >= 0 ||
                              str_find_word(operands, STR("PATH"), 0) >= 0 ||
                              str_find_word(operands, STR("json"), 0) >= 0);
}

void completion_put_seconds(struct buf *to, size_t c)
{
    struct str first, second, wanted = completion_first(command_at(c), &second);
    for (size_t i = c; i < commands_count(); i++) {
        first = completion_first(command_at(i), &second);
        if (!str_eq(first, wanted))
            return;
        buf_fmt(to, "%s%.*s", i > c ? ", " : "", STR_ARG(second));
    }
}

static void put_flag(void *ctx, const struct option *option)
{
    buf_fmt(ctx, " --%s", option->name);
}

void completion_options(struct buf *to, const struct template_values *values)
{
    for (size_t c = 0; c < commands_count(); c++) {
        buf_fmt(to, "    \"%s\") echo \"", command_at(c)->name);
        completion_each_option(command_at(c), put_flag, to);
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

bool completion_words_of(struct buf *to, const struct option *option)
{
    struct str rest = str_from(option->value), part;
    bool file = false;
    while (str_split(&rest, '|', &part)) {
        if (is_literal(part))
            buf_fmt(to, " %.*s", STR_ARG(part));
        file = file || str_eq(part, STR("FILE"));
    }
    return file;
}

/* "--role) echo member reviewer admin ;;", once for all commands that share the option. */
static void value_branch(void *ctx, const struct option *option)
{
    struct buf *to = ctx, branch, words;
    if (!option->value)
        return;
    buf_init(&branch, WORDS_MAX);
    buf_init(&words, WORDS_MAX);
    buf_fmt(&branch, "    --%s)", option->name);
    if (completion_words_of(&words, option))
        buf_text(&words, " FILE");
    if (str_find(buf_view(to), buf_view(&branch)) < 0) {
        buf_str(to, buf_view(&branch));
        if (words.n > 0)
            buf_fmt(to, " echo%.*s", STR_ARG(buf_view(&words)));
        buf_text(to, " ;;\n");
    }
    buf_finish(&branch);
    buf_finish(&words);
}

void completion_values(struct buf *to, const struct template_values *values)
{
    BUF_SCOPED(branches, WORDS_MAX);
    for (size_t c = 0; c < commands_count(); c++)
        completion_each_option(command_at(c), value_branch, &branches);
    buf_str(to, buf_view(&branches));
}
