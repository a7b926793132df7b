/* Finding a command by its words, and the options that all have; see commands.h. */
#include "cmd/commands.h"

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
    for (size_t i = 0; i < commands_count; i++) {
        int words = match_words(commands[i].name, argc, argv);
        if (words > 0) {
            *ret_words = words;
            return &commands[i];
        }
    }
    return NULL;
}
