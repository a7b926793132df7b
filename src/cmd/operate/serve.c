/* `stockact serve`: runs the server and prints the address it listens on. */
#include <stdio.h>

#include "cmd/operate/database_place.h"
#include "serve/serve.h"

static void print_address(void *ctx, struct str address)
{
    struct out *out = ctx;
    bool is_unix = str_starts(address, STR("unix:"));
    if (out->json) {
        out_begin(out, OUT_BLOCK);
        out_str(out, "listening", address);
        out_end(out);
    }
    out_line(out, "stockact: listening on %s%.*s", is_unix ? "" : "http://", STR_ARG(address));
    out_flush(out);
}

enum err cmd_serve(struct cmd *cmd, struct fail *fail)
{
    TRY(database_place_check(cmd->settings, true, fail));
    database_place_prepare(cmd->settings);
    return serve_until_stopped(cmd->settings, print_address, cmd->out, fail);
}
