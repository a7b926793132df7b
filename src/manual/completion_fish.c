/* Completion for fish; see completion.h. */
#include "manual/completion.h"
#include "manual/completion_parts.h"

enum { WORDS_MAX = 1 << 16 };

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
