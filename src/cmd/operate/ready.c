/* `stockact ready`: asks this machine's server whether it accepts requests (GET /readyz), for
 * container engines and scripts that have no HTTP client. It opens neither database nor files. */
#include "cmd/operate/server_ask.h"
#include "cmd/term/command.h"

enum err cmd_ready(struct cmd *cmd, struct fail *fail)
{
    struct str listen = cmd->settings->listen;
    const char *reason;
    switch (server_ask(cmd->settings, "/readyz", NULL, &reason)) {
    case SERVER_NOWHERE:
        return fail_set(
            fail, ERR_INVALID, "listen \"%.*s\" has port 0: set a fixed port", STR_ARG(listen));
    case SERVER_NONE:
    case SERVER_SILENT:
        return fail_set(
            fail, ERR_UNAVAILABLE, "the server at %.*s does not answer: %s", STR_ARG(listen),
            reason);
    case SERVER_LOADING:
        return fail_set(
            fail, ERR_UNAVAILABLE, "the server at %.*s is starting or stopping", STR_ARG(listen));
    case SERVER_OTHER:
        return fail_set(fail, ERR_IO, "%.*s is not a stockact server", STR_ARG(listen));
    case SERVER_READY:
        break;
    }
    out_begin(cmd->out, OUT_BLOCK);
    out_str(cmd->out, "ready", listen);
    out_end(cmd->out);
    return OK;
}
