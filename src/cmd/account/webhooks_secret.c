/* `stockact webhooks rotate|reveal`: secrets of endpoints (decision 36). */
#include "cmd/account/webhooks_work.h"

/* Rotates or reveals, and prints the secret. */
enum err cmd_webhooks_secret(struct cmd *cmd, struct fail *fail)
{
    struct webhooks_work *work = webhooks_work_create(cmd, fail);
    struct owner_endpoint *is = &work->is;
    bool rotates = cmd->act == owner_rotate;
    is->grace_hours = OWNER_GRACE_HOURS;
    if (rotates && options_given(cmd->options, "grace"))
        value_grace(options_value(cmd->options, "grace"), &is->grace_hours);
    is->force = !str_is_null(options_find(cmd->options, "force"));
    enum err err = webhooks_load_key(work, fail);
    if (!err)
        err = webhooks_write(work);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "id", is->id);
        out_str(cmd->out, "url", is->endpoint.url);
        out_secret(
            cmd->out, "secret", secret_text(&is->secret),
            "the endpoint %.*s has %s, but it could not be printed: run `stockact webhooks reveal "
            "--id %.*s`",
            STR_ARG(is->id), rotates ? "a new secret" : "a secret", STR_ARG(is->id));
        out_instant(cmd->out, "oldSecretUntil", is->endpoint.old_secret_until);
        out_end(cmd->out);
    }
    webhooks_work_destroy(work);
    return err;
}
