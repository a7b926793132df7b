/* Branches for completion; see completion.h. */
#include "manual/completion.h"

#include "cmd/commands.h"

/* What the completions of all shells share. */

/* The first word of the name, and the second, which is null if there is none. */
static struct str completion_first(const struct command *command, struct str *ret_second);

/* Whether the command is the first with its first word. The table lists those together. */
static bool completion_begins_group(size_t c);

/* The alternatives of a value that are typed as shown (`scout|wolf`), each after a blank. Capitals
 * are placeholders, which are left out: EMAIL, HH:MM. True: one of them is FILE. */
static bool completion_words_of(struct buf *to, const struct option *option);

/* Calls fn for each option of the command, the common ones and the settings that concern it. */
typedef void completion_option_fn(void *ctx, const struct option *option);
static void completion_each_option(
    const struct command *command, completion_option_fn *fn, void *ctx);

/* Whether the operands are files. */
static bool completion_takes_files(const struct command *command);

/* In words, for a first word that begins several commands: "create, invite, list". */
static void completion_put_seconds(struct buf *to, size_t c);

enum { WORDS_MAX = 1 << 16 };

static struct str completion_first(const struct command *command, struct str *ret_second)
{
    struct str first = STR_NULL;
    *ret_second = str_from(command->name);
    if (!str_split(ret_second, ' ', &first))
        return STR_NULL;
    return first;
}

static bool completion_begins_group(size_t c)
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

static void completion_each_option(
    const struct command *command, completion_option_fn *fn, void *ctx)
{
    struct option_walk walk = {fn, ctx};
    for (size_t i = 0; i < commands_common_count; i++)
        fn(ctx, &commands_common[i]);
    for (size_t i = 0; i < command->option_count; i++)
        fn(ctx, &command->options[i]);
    settings_each(command->scope, walk_setting, &walk);
}

static bool completion_takes_files(const struct command *command)
{
    struct str operands = str_from(command->operands);
    return operands.n > 0 && (str_find_word(operands, STR("FILE"), 0) >= 0 ||
                              str_find_word(operands, STR("PATH"), 0) >= 0 ||
                              str_find_word(operands, STR("json"), 0) >= 0);
}

static void completion_put_seconds(struct buf *to, size_t c)
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

static bool completion_words_of(struct buf *to, const struct option *option)
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

/* --- completion for fish */

static void put_quoted(struct buf *to, struct str text)
{
    buf_char(to, '\'');
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '\'' || text.p[i] == '\\')
            buf_char(to, '\\');
        buf_char(to, text.p[i]);
    }
    buf_char(to, '\'');
}

/* `after`: the words before it, or null. */
static void put_word(struct buf *to, struct str after, struct str word, struct str summary)
{
    buf_fmt(
        to, "complete -c stockact -n '__stockact_after%s%.*s' -a %.*s -d ", after.n ? " " : "",
        STR_ARG(after), STR_ARG(word));
    put_quoted(to, summary);
    buf_char(to, '\n');
}

struct lines {
    struct buf *to;
    const char *command;
};

static void put_option(void *ctx, const struct option *option)
{
    const struct lines *lines = ctx;
    struct buf *to = lines->to, words;
    buf_init(&words, WORDS_MAX);
    buf_fmt(to, "complete -c stockact -n '__stockact_in %s' -l %s", lines->command, option->name);
    if (option->value && completion_words_of(&words, option))
        buf_text(to, " -r -F");
    else if (option->value)
        buf_text(to, " -x");
    if (words.n > 0) {
        buf_text(to, " -a ");
        put_quoted(to, str_trim(buf_view(&words)));
    }
    buf_text(to, " -d ");
    put_quoted(to, str_from(option->help));
    buf_char(to, '\n');
    buf_finish(&words);
}

void completion_fish(struct buf *to, const struct template_values *values)
{
    for (size_t c = 0; c < commands_count(); c++) {
        const struct command *command = command_at(c);
        struct str second, first = completion_first(command, &second);
        BUF_SCOPED(seconds, WORDS_MAX);
        completion_put_seconds(&seconds, c);
        if (completion_begins_group(c))
            put_word(
                to, STR_NULL, first, second.n ? buf_view(&seconds) : str_from(command->summary));
        if (second.n)
            put_word(to, first, second, str_from(command->summary));
        completion_each_option(command, put_option, &(struct lines){to, command->name});
        if (completion_takes_files(command))
            buf_fmt(to, "complete -c stockact -n '__stockact_in %s' -F\n", command->name);
    }
}

/* --- completion for zsh */

/* Inside single quotes of the shell, with a backslash before the characters of `special`. */
static void put_escaped(struct buf *to, struct str text, const char *special)
{
    for (size_t i = 0; i < text.n; i++) {
        if (strchr(special, text.p[i]))
            buf_char(to, '\\');
        if (text.p[i] == '\'')
            buf_text(to, "'\\''");
        else
            buf_char(to, text.p[i]);
    }
}

/* 'create:create an account' */
static void completion_zsh_put_word(struct buf *to, struct str word, struct str summary)
{
    buf_fmt(to, "        '%.*s:", STR_ARG(word));
    put_escaped(to, summary, ":\\");
    buf_text(to, "'\n");
}

void completion_zsh_words(struct buf *to, const struct template_values *values)
{
    struct str first, second;
    buf_text(to, "    '') names=(\n");
    for (size_t c = 0; c < commands_count(); c++) {
        BUF_SCOPED(seconds, WORDS_MAX);
        if (!completion_begins_group(c))
            continue;
        first = completion_first(command_at(c), &second);
        completion_put_seconds(&seconds, c);
        completion_zsh_put_word(
            to, first, second.n ? buf_view(&seconds) : str_from(command_at(c)->summary));
    }
    for (size_t c = 0; c < commands_count(); c++) {
        first = completion_first(command_at(c), &second);
        if (second.n == 0)
            continue;
        if (completion_begins_group(c))
            buf_fmt(to, "    ) ;;\n    %.*s) names=(\n", STR_ARG(first));
        completion_zsh_put_word(to, second, str_from(command_at(c)->summary));
    }
    buf_text(to, "    ) ;;\n");
}

/* '--role=[role of the account]:value:(member reviewer admin)' */
static void completion_zsh_put_option(void *ctx, const struct option *option)
{
    struct buf *to = ctx, words;
    buf_init(&words, WORDS_MAX);
    buf_fmt(to, "        '--%s%s[", option->name, option->value ? "=" : "");
    put_escaped(to, str_from(option->help), "[]:\\");
    buf_char(to, ']');
    if (option->value) {
        buf_char(to, ':');
        put_escaped(to, str_from(option->value), ":\\");
        buf_char(to, ':');
        bool file = completion_words_of(&words, option);
        if (file)
            buf_text(to, "_files");
        else if (words.n > 0)
            buf_fmt(to, "(%.*s)", STR_ARG(str_trim(buf_view(&words))));
        else
            buf_char(to, ' ');
    }
    buf_text(to, "'\n");
    buf_finish(&words);
}

void completion_zsh_options(struct buf *to, const struct template_values *values)
{
    for (size_t c = 0; c < commands_count(); c++) {
        buf_fmt(to, "    '%s') options=(\n", command_at(c)->name);
        completion_each_option(command_at(c), completion_zsh_put_option, to);
        if (command_at(c)->operands)
            buf_fmt(
                to, "        '*:argument:%s'\n",
                completion_takes_files(command_at(c)) ? "_files" : " ");
        buf_text(to, "    ) ;;\n");
    }
}
