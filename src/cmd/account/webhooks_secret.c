/* `stockact webhooks rotate|reveal|end-overlap`: secrets of endpoints (decision 36). */
#include "cmd/account/webhooks_work.h"

static enum err rotate(struct db *db, void *ctx, struct fail *fail)
{
    struct webhooks_work *work = ctx;
    const struct options *options = work->cmd->options;
    int64_t grace_hours = OWNER_GRACE_HOURS;
    if (options_given(options, "grace"))
        value_grace(options_value(options, "grace"), &grace_hours);
    enum err err = key_mark_hold(db, &work->mark, fail);
    if (!err)
        err = owner_rotate(
            db, &work->key, &work->actor, work->id, grace_hours, options_given(options, "force"),
            work->now_ms, &work->secret, fail);
    return err ? err : endpoint_find(db, work->id, &work->arena, &work->endpoint, fail);
}

static enum err reveal(struct db *db, void *ctx, struct fail *fail)
{
    struct webhooks_work *work = ctx;
    enum err err =
        owner_reveal(db, &work->key, &work->actor, work->id, work->now_ms, &work->secret, fail);
    return err ? err : endpoint_find(db, work->id, &work->arena, &work->endpoint, fail);
}

/* Runs `write`, which fills the secret, and prints the secret. */
static enum err show_secret(
    struct cmd *cmd, store_access_write_fn *write, const char *lost, struct fail *fail)
{
    struct webhooks_work *work = webhooks_work_create(cmd);
    struct db *db = NULL;
    enum err err = webhooks_load_key(work, fail);
    if (!err)
        err = store_access_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = store_access_write(db, write, work, fail);
    if (!err) {
        store_access_wait_servers(db);
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "id", work->id);
        out_str(cmd->out, "url", work->endpoint.url);
        out_secret(
            cmd->out, "secret", secret_text(&work->secret),
            "the endpoint %.*s has %s, but it could not be printed: run `stockact webhooks reveal "
            "--id %.*s`",
            STR_ARG(work->id), lost, STR_ARG(work->id));
        out_instant(cmd->out, "oldSecretUntil", work->endpoint.old_secret_until);
        out_end(cmd->out);
    }
    db_close(db);
    webhooks_work_destroy(work);
    return err;
}

enum err cmd_webhooks_rotate(struct cmd *cmd, struct fail *fail)
{
    return show_secret(cmd, rotate, "a new secret", fail);
}

enum err cmd_webhooks_reveal(struct cmd *cmd, struct fail *fail)
{
    return show_secret(cmd, reveal, "a secret", fail);
}

static enum err end_overlap(struct db *db, void *ctx, struct fail *fail)
{
    struct webhooks_work *work = ctx;
    enum err err = owner_end_overlap(db, &work->actor, work->id, work->now_ms, fail);
    return err ? err : endpoint_find(db, work->id, &work->arena, &work->endpoint, fail);
}

enum err cmd_webhooks_end_overlap(struct cmd *cmd, struct fail *fail)
{
    struct webhooks_work *work = webhooks_work_create(cmd);
    enum err err = webhooks_write(work, end_overlap, fail);
    webhooks_work_destroy(work);
    return err;
}
