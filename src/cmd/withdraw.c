/* `stockact withdraw`: withdraws a published trade or filing (decision 29). */
#include "review/withdraw.h"

#include "base/clock.h"
#include "cmd/session.h"

enum err cmd_withdraw(struct cmd *cmd, struct fail *fail)
{
    struct str id = cmd->options->operands[0];
    struct withdraw_result result;
    struct db *db = NULL;
    enum err err = session_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = withdraw(
            db, id, options_value(cmd->options, "by"), options_value(cmd->options, "reason"),
            clock_wall_ms(), &result, fail);
    if (!err) {
        session_wait_servers(db);
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "id", id);
        out_i64(cmd->out, "trades", (int64_t)result.trades);
        out_end(cmd->out);
    }
    db_close(db);
    return err;
}
