/*
 * The main function of stockact-mcp, which serves the API to language models as tools over standard
 * input and output (spec 4.6). Settings come from the environment; errors go to standard error.
 * Exit status: 0 at the end of input, 1 for a failure, 2 for invalid arguments.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/build.h"
#include "base/mem.h"
#include "base/standard_streams.h"
#include "mcp/environment.h"
#include "mcp/streams.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

static const char usage[] =
    "usage: stockact-mcp [--help] [--version]\n"
    "\n"
    "Serves congressional stock-trade disclosures to a language model: a Model Context\n"
    "Protocol server on standard input and output, started by the program that hosts the\n"
    "model. It calls the HTTP API of a stockact server.\n"
    "\n"
    "environment:\n";

static void help(void)
{
    fputs(usage, stdout);
    for (int i = 0; i < ENVIRONMENT_COUNT; i++) {
        const struct environment *e = &environment_table[i];
        printf("  %-15s%s\n", e->name, e->help);
        if (e->fallback)
            printf("  %-15s(default %s)\n", "", e->fallback);
    }
}

/* Hosts pass unset settings as empty variables: treat them as unset. */
static struct str setting(enum environment_variable variable)
{
    const struct environment *e = &environment_table[variable];
    struct str value = str_trim(str_from(getenv(e->name)));
    return value.n > 0 ? value : str_from(e->fallback);
}

int main(int argc, char **argv)
{
    struct fail fail;
    standard_streams_hold();
    no_memory_watch();
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        help();
        return EXIT_DONE;
    }
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        printf("stockact-mcp %.*s\n", STR_ARG(build.title));
        return EXIT_DONE;
    }
    if (argc > 1) {
        fputs("stockact-mcp: takes no arguments; see `stockact-mcp --help`\n", stderr);
        return EXIT_USAGE;
    }
    const struct streams_config config = {
        .api_url = setting(ENVIRONMENT_API_URL),
        .api_key = setting(ENVIRONMENT_API_KEY),
        .ca_file = setting(ENVIRONMENT_CA_FILE),
    };
    enum err err = streams_serve(&config, &fail);
    if (!err)
        return EXIT_DONE;
    fprintf(stderr, "stockact-mcp: %s\n", fail.text);
    return err == ERR_INVALID ? EXIT_USAGE : EXIT_FAILED;
}
