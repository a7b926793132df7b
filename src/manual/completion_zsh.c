/* Completion for zsh; see completion.h. */
#include "manual/completion.h"
#include "manual/completion_parts.h"

enum { WORDS_MAX = 1 << 16 };

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
static void put_word(struct buf *to, struct str word, struct str summary)
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
        put_word(to, first, second.n ? buf_view(&seconds) : str_from(command_at(c)->summary));
    }
    for (size_t c = 0; c < commands_count(); c++) {
        first = completion_first(command_at(c), &second);
        if (second.n == 0)
            continue;
        if (completion_begins_group(c))
            buf_fmt(to, "    ) ;;\n    %.*s) names=(\n", STR_ARG(first));
        put_word(to, second, str_from(command_at(c)->summary));
    }
    buf_text(to, "    ) ;;\n");
}

/* '--role=[role of the account]:value:(member reviewer admin)' */
static void put_option(void *ctx, const struct option *option)
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
        completion_each_option(command_at(c), put_option, to);
        if (command_at(c)->operands)
            buf_fmt(
                to, "        '*:argument:%s'\n",
                completion_takes_files(command_at(c)) ? "_files" : " ");
        buf_text(to, "    ) ;;\n");
    }
}
