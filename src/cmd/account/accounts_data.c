/* `stockact accounts export|delete`: what is stored about an account. */
#include "account/delete.h"
#include "account/export.h"
#include "cmd/account/accounts_work.h"

/* In one snapshot; the row of the log follows in a transaction of its own. */
static enum err read_export(
    struct account_work *work, struct db *db, struct buf *json, struct fail *fail)
{
    enum err err = db_begin_read(db, fail);
    if (err)
        return err;
    err = account_find(db, work->email, &work->arena, &work->account, fail);
    if (!err)
        err = account_export(db, &work->account, work->now_ms, json, fail);
    return db_end(db, err, fail);
}

static enum err log_export(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    return account_export_log(db, &work->actor, &work->account, work->now_ms, fail);
}

/* One line of JSON, with and without --json. */
enum err cmd_accounts_export(struct cmd *cmd, struct fail *fail)
{
    struct account_work work;
    struct db *db = NULL;
    struct buf json;
    buf_init(&json, EXPORT_SIZE_MAX);
    enum err err = accounts_begin(&work, cmd, false, fail);
    if (!err)
        err = store_access_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = read_export(&work, db, &json, fail);
    if (!err)
        err = store_access_write(db, log_export, &work, fail);
    if (!err) {
        fwrite(json.p, 1, json.n, cmd->out->to);
        fputc('\n', cmd->out->to);
    }
    db_close(db);
    buf_finish(&json);
    accounts_end(&work);
    return err;
}

static enum err write_delete(struct db *db, void *ctx, struct fail *fail)
{
    struct account_work *work = ctx;
    enum err err = account_find(db, work->email, &work->arena, &work->account, fail);
    return err ? err
               : account_delete(
                     db, &work->config, &work->actor, work->account.no, work->now_ms, fail);
}

enum err cmd_accounts_delete(struct cmd *cmd, struct fail *fail)
{
    struct account_work work;
    enum err err = accounts_begin(&work, cmd, false, fail);
    if (!err)
        err = accounts_write(&work, STORE_WRITE, write_delete, fail);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "id", work.account.id);
        out_instant(cmd->out, "deletedAt", work.now_ms);
        out_end(cmd->out);
    }
    accounts_end(&work);
    return err;
}
