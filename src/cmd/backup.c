/* `stockact backup`: copies an SQLite database while it is in use. */
#include "store/db/backup.h"

#include "cmd/progress.h"
#include "cmd/store_access.h"

static const struct progress_label copying = {"Copying", NULL, NULL};

/* The copy is whole without it: the database may be read-only, or another user's. */
static void note_backup(struct cmd *cmd)
{
    struct db *db = NULL;
    struct fail unused;
    if (store_access_open(cmd, STORE_WRITE, &db, &unused) == OK)
        store_access_note(db, LAST_BACKUP);
    db_close(db);
}

/* For a person: without this file the backup's webhooks and second factors are lost. */
static void name_key(struct cmd *cmd)
{
    struct arena arena;
    arena_init(&arena);
    struct str key = settings_secret_key_file(cmd->settings, &arena);
    if (out_is_page(cmd->out) && !str_is_null(key))
        out_line(
            cmd->out, "The backup does not contain the master key: keep a copy of %.*s elsewhere.",
            STR_ARG(key));
    arena_finish(&arena);
}

enum err cmd_backup(struct cmd *cmd, struct fail *fail)
{
    struct db *db = NULL;
    struct str file = cmd->options->operands[0];
    enum err err = store_access_open(cmd, STORE_READ, &db, fail);
    if (err)
        return err;
    struct progress *progress = progress_start(cmd->out, &copying);
    const struct progress_hook hook = progress_hook_of(progress);
    err = backup_write(db, file.p, &hook, fail);
    progress_stop(progress);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "database", db_name(db));
        out_str(cmd->out, "backup", file);
        out_end(cmd->out);
        name_key(cmd);
    }
    db_close(db);
    if (!err)
        note_backup(cmd);
    return err;
}
