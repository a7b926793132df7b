/* `stockact migrate`, `check`, `backup` and `version`: the database as a whole. */
#include "cmd/session.h"
#include "store/backup.h"
#include "store/check.h"
#include "store/migrate.h"

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
            fail, ERR_CORRUPT, "%.*s: %lld findings", STR_ARG(db_name(db)), (long long)findings);
    } else if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "database", db_name(db));
        out_i64(cmd->out, "findings", 0);
        out_end(cmd->out);
    }
    db_close(db);
    return err;
}

enum err cmd_backup(struct cmd *cmd, struct fail *fail)
{
    struct db *db = NULL;
    struct str file = cmd->options->operands[0];
    enum err err = session_open(cmd, STORE_READ, &db, fail);
    if (err)
        return err;
    err = backup_write(db, file.p, fail);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "database", db_name(db));
        out_str(cmd->out, "backup", file);
        out_end(cmd->out);
    }
    db_close(db);
    return err;
}

enum err cmd_version(struct cmd *cmd, struct fail *fail)
{
    if (cmd->out->json) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "version", STR(STOCKACT_VERSION));
        out_i64(cmd->out, "schema", migrate_latest());
        out_end(cmd->out);
    } else {
        out_say(cmd->out, "stockact %s", STOCKACT_VERSION);
    }
    return OK;
}
