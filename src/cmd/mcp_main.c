/*
 * stockact-mcp: the API for language models, as tools over standard input and output (spec 4.6).
 * Reads its settings from the environment; everything it says to people is on standard error.
 * Exit status: 0 when the input ends, 1 when it cannot go on, 2 wrong use.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/standard_streams.h"
#include "mcp/streams.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_WRONG_USE = 2 };

static const char help[] =
    "usage: stockact-mcp [--help] [--version]\n"
    "\n"
    "Serves congressional stock-trade disclosures to a language model: a Model Context\n"
    "Protocol server on standard input and output, started by the program that hosts the\n"
    "model. It calls the HTTP API of a stockact server.\n"
    "\n"
    "environment:\n"
    "  SVC_API_URL    the server's base address, without /api/v1\n"
    "                 (default http://127.0.0.1:8080)\n"
    "  SVC_API_KEY    an API key; without one, evaluation limits hold\n"
    "  SSL_CERT_FILE  the authorities to trust, instead of the system's\n";

/* A host that passes its settings on passes the ones that nobody filled in as empty texts. */
static struct str setting(const char *name, struct str if_absent)
{
    struct str value = str_trim(str_from(getenv(name)));
    return value.n > 0 ? value : if_absent;
}

int main(int argc, char **argv)
{
    struct fail fail;
    standard_streams_hold();
    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        fputs(help, stdout);
        return EXIT_DONE;
    }
    if (argc == 2 && strcmp(argv[1], "--version") == 0) {
        puts("stockact-mcp " STOCKACT_VERSION);
        return EXIT_DONE;
    }
    if (argc > 1) {
        fputs("stockact-mcp: takes no arguments; see `stockact-mcp --help`\n", stderr);
        return EXIT_WRONG_USE;
    }
    const struct streams_config config = {
        .api_url = setting("SVC_API_URL", STR("http://127.0.0.1:8080")),
        .api_key = setting("SVC_API_KEY", STR_NULL),
        .ca_file = setting("SSL_CERT_FILE", STR_NULL),
    };
    enum err err = streams_serve(&config, &fail);
    if (!err)
        return EXIT_DONE;
    fprintf(stderr, "stockact-mcp: %s\n", fail.text);
    return err == ERR_INVALID ? EXIT_WRONG_USE : EXIT_FAILED;
}
