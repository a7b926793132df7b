/* `stockact backup`: copies an SQLite database while it is in use. */
#include "store/db/backup.h"

#include "cmd/progress.h"
#include "cmd/store_access.h"

static const struct progress_label copying = {"Copying", NULL, NULL};

enum err cmd_backup(struct cmd *cmd, struct fail *fail)
{
    struct db *db = NULL;
    struct str file = cmd->options->operands[0];
    enum err err = store_access_open(cmd, STORE_READ, &db, fail);
    if (err)
        return err;
    struct progress *progress = progress_start(cmd->out, &copying);
    const struct progress_hook hook = {progress_note, progress};
    err = backup_write(db, file.p, &hook, fail);
    progress_stop(progress);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "database", db_name(db));
        out_str(cmd->out, "backup", file);
        out_end(cmd->out);
    }
    db_close(db);
    return err;
}
