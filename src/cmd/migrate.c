/* `stockact migrate` applies migrations. `stockact version` prints the versions of the program and
 * of its schema. */
#include "store/db/migrate.h"

#include "cmd/session.h"

enum err cmd_migrate(struct cmd *cmd, struct fail *fail)
{
    struct db *db = NULL;
    enum err err = session_open(cmd, STORE_MIGRATE, &db, fail);
    if (err)
        return err;
    out_begin(cmd->out, OUT_BLOCK);
    out_str(cmd->out, "database", db_name(db));
    out_i64(cmd->out, "schema", migrate_latest());
    out_end(cmd->out);
    db_close(db);
    return OK;
}

enum err cmd_version(struct cmd *cmd, struct fail *fail)
{
    if (cmd->out->json) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "version", STR(STOCKACT_VERSION));
        out_i64(cmd->out, "schema", migrate_latest());
        out_end(cmd->out);
    } else {
        out_line(cmd->out, "stockact %s", STOCKACT_VERSION);
    }
    return OK;
}
