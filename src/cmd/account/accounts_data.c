/* `stockact accounts export|delete`: what is stored about an account. */
#include "account/export.h"
#include "cmd/account/accounts_work.h"

/* Reads everything in one transaction. The row of the log is written later, in another. */
static enum err read_export(struct account_work *work, struct buf *json)
{
    struct act *act = &work->act;
    enum err err = store_access_open(work->cmd, STORE_WRITE, &act->db, act->fail);
    if (!err)
        err = db_begin_read(act->db, act->fail);
    if (err)
        return err;
    err = subject_find(act, &work->is);
    if (!err)
        err = account_export(act, &work->is.account, json);
    return db_end(act->db, err, act->fail);
}

/* One line of JSON, with and without --json. */
enum err cmd_accounts_export(struct cmd *cmd, struct fail *fail)
{
    struct account_work work;
    BUF_SCOPED(json, EXPORT_SIZE_MAX);
    enum err err = accounts_begin(&work, cmd, false, fail);
    if (!err)
        err = read_export(&work, &json);
    if (!err)
        err = accounts_write(&work);
    if (!err) {
        fwrite(json.p, 1, json.n, cmd->out->to);
        fputc('\n', cmd->out->to);
    }
    accounts_end(&work);
    return err;
}

enum err cmd_accounts_delete(struct cmd *cmd, struct fail *fail)
{
    struct account_work work;
    enum err err = accounts_begin(&work, cmd, false, fail);
    if (!err)
        err = accounts_write(&work);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "id", work.is.account.id);
        out_instant(cmd->out, "deletedAt", work.act.now_ms);
        out_end(cmd->out);
    }
    accounts_end(&work);
    return err;
}
