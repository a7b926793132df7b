/* `stockact withdraw` withdraws a published trade or filing, and `stockact reinstate` takes a
 * withdrawal back (decision 29). */
#include "review/withdraw.h"

#include "base/clock.h"
#include "cmd/operate/store_access.h"
#include "review/reinstate.h"

/* Prints the result of a successful command. */
static enum err show_and_close(struct cmd *cmd, struct db *db, size_t trades, enum err err)
{
    if (!err) {
        store_access_wait_servers(db);
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "id", cmd->options->operands[0]);
        out_i64(cmd->out, "trades", (int64_t)trades);
        out_end(cmd->out);
    }
    db_close(db);
    return err;
}

enum err cmd_withdraw(struct cmd *cmd, struct fail *fail)
{
    struct withdraw_result result = {0};
    struct db *db = NULL;
    enum err err = store_access_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = store_access_overrule_clock(cmd, db, fail);
    if (!err)
        err = withdraw(
            db, cmd->options->operands[0], options_value(cmd->options, "by"),
            options_value(cmd->options, "reason"), clock_wall_ms(), &result, fail);
    return show_and_close(cmd, db, result.trades, err);
}

enum err cmd_reinstate(struct cmd *cmd, struct fail *fail)
{
    struct reinstate_result result = {0};
    struct db *db = NULL;
    enum err err = store_access_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = store_access_overrule_clock(cmd, db, fail);
    if (!err)
        err = reinstate(
            db, cmd->options->operands[0], options_value(cmd->options, "by"),
            options_value(cmd->options, "reason"), clock_wall_ms(), &result, fail);
    return show_and_close(cmd, db, result.trades, err);
}
