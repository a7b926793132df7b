/* `stockact check`: checks the integrity of the database. */
#include "store/check.h"

#include "cmd/session.h"

static void show_finding(void *ctx, struct str what)
{
    struct out *out = ctx;
    out_begin(out, OUT_BLOCK);
    out_str(out, "finding", what);
    out_end(out);
}

enum err cmd_check(struct cmd *cmd, struct fail *fail)
{
    struct db *db = NULL;
    int64_t findings;
    enum err err = session_open(cmd, STORE_READ, &db, fail);
    if (err)
        return err;
    err = check_run(db, show_finding, cmd->out, &findings, fail);
    if (!err && findings > 0) {
        err = fail_set(
            fail, ERR_CORRUPT, "%.*s failed the check: %lld findings, listed above",
            STR_ARG(db_name(db)), (long long)findings);
    } else if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "database", db_name(db));
        out_i64(cmd->out, "findings", 0);
        out_end(cmd->out);
    }
    db_close(db);
    return err;
}
