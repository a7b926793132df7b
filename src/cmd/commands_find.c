/* Finding a command by its words, and the options that all have; see commands.h. */
#include "cmd/commands.h"

#include <limits.h>
#include <string.h>

#include "names/likeness.h"

static bool colour_is_valid(struct str value)
{
    enum colour_when when;
    return colour_when_parse(value, &when);
}

const struct option commands_common[] = {
    {.name = "json", .help = "print one JSON object per line"},
    {.name = "color",
     .value = "always|never|auto",
     .help = "colour: auto means on a terminal, unless NO_COLOR is set",
     .valid = colour_is_valid},
    {.name = "pretty", .help = "format the output as on a terminal, for `| less`"},
    {.name = "help", .help = "print this help"},
};
const size_t commands_common_count = sizeof commands_common / sizeof *commands_common;

/* The number of words in `name` if the arguments begin with them, otherwise 0. */
static int match_words(const char *name, int argc, char **argv)
{
    struct str rest = str_from(name), word;
    int words = 0;
    while (str_split(&rest, ' ', &word)) {
        if (words >= argc || !str_eq(str_from(argv[words]), word))
            return 0;
        words++;
    }
    return words;
}

const struct command *command_find(int argc, char **argv, int *ret_words)
{
    for (size_t i = 0; i < commands_count(); i++) {
        int words = match_words(command_at(i)->name, argc, argv);
        if (words > 0) {
            *ret_words = words;
            return command_at(i);
        }
    }
    return NULL;
}

static void consider(struct str name, struct str typed, const char *of, int *best, const char **ret)
{
    int slips = likeness_slips(typed, name), edits = likeness_edits(typed, name, slips);
    if (edits < *best && edits <= slips) {
        *best = edits;
        *ret = of;
    }
}

const char *command_like(int argc, char **argv)
{
    struct str first = str_from(argv[0]);
    BUF_SCOPED(both, 4096);
    const char *like = NULL;
    int best = INT_MAX;
    buf_text(&both, argv[0]);
    if (argc > 1 && argv[1][0] != '-')
        buf_fmt(&both, " %s", argv[1]);
    for (size_t i = 0; i < commands_count() && !both.overflow; i++) {
        struct str name = str_from(command_at(i)->name);
        bool one_word = str_find_char(name, ' ') < 0;
        consider(name, one_word ? first : buf_view(&both), command_at(i)->name, &best, &like);
    }
    /* `mint` alone: the last word of `keys mint`. */
    for (size_t i = 0; i < commands_count() && !like; i++) {
        struct str last = str_from(command_at(i)->name), word;
        if (str_split(&last, ' ', &word) && str_eq(last, first))
            like = command_at(i)->name;
    }
    return like;
}

const char *command_empty(const struct command *command)
{
    static const struct {
        const char *name, *text;
    } lists[] = {
        {"accounts invitations", "No invitation is open."},
        {"accounts list", "There is no account."},
        {"accounts search", "No account matches."},
        {"accounts sessions", "The account has no session."},
        {"alerts list", "There is no alert."},
        {"jobs runs", "No job has run."},
        {"keys list", "The account has no key."},
        {"mail list", "No e-mail is waiting."},
        {"nodes list", "No server is running."},
        {"webhooks deliveries", "There is no delivery."},
        {"webhooks list", "There is no endpoint."},
        {"webhooks stuck", "No delivery is late or held."},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strcmp(lists[i].name, command->name) == 0)
            return lists[i].text;
    return NULL;
}
