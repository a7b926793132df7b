/* `stockact backup`: copies an SQLite database while it is in use, keeps the newest copies of a
 * folder, and tries to restore a copy. */
#include "db/backup.h"

#include <errno.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd/operate/restore_drill.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/progress.h"
#include "db/backup_follow.h"

static const struct progress_label copying = {"Copying", NULL, NULL};

/* The copy is whole without it: the database may be read-only, or another user's. */
static enum err note_backup(struct cmd *cmd, struct fail *fail)
{
    DB_SCOPED(db);
    TRY(store_access_open(cmd, STORE_WRITE, &db, fail));
    store_access_note(db, LAST_BACKUP);
    return OK;
}

/* For a person: without this file the backup's webhooks and second factors are lost. */
static void name_key(struct cmd *cmd)
{
    ARENA_SCOPED(arena);
    struct str key = settings_secret_key_file(cmd->settings, &arena);
    if (out_is_page(cmd->out) && !str_is_null(key))
        out_line(
            cmd->out, "The backup does not contain the master key: keep a copy of %.*s elsewhere.",
            STR_ARG(key));
}

static enum err write_backup(struct cmd *cmd, struct str file, struct fail *fail)
{
    DB_SCOPED(db);
    TRY(store_access_open(cmd, STORE_READ, &db, fail));
    struct progress *progress = progress_start(cmd->out, &copying);
    const struct progress_hook hook = progress_hook_of(progress);
    enum err err = backup_write(db, file.p, &hook, fail);
    progress_stop(progress);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "database", db_name(db));
        out_str(cmd->out, "backup", file);
        out_end(cmd->out);
        name_key(cmd);
    }
    return err;
}

enum { FOLLOW_KEPT = 8 };

#define KEPT "stockact-[0-9]*T*Z.db"

/* `file` was verified: it stays, whatever the clock said when the others were named. */
static enum err remove_old(
    struct cmd *cmd, struct str folder, struct str file, int64_t keep, struct arena *arena,
    struct fail *fail)
{
    struct backup_list kept;
    enum err err = backup_list(folder, KEPT, arena, &kept, fail);
    for (int i = 0, left = kept.count; !err && i < kept.count && left > keep; i++) {
        if (str_eq(kept.files[i], file))
            continue;
        left--;
        if (unlink(kept.files[i].p) != 0 && errno != ENOENT)
            return fail_set(fail, ERR_IO, "cannot remove \"%s\": %m", kept.files[i].p);
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "removed", kept.files[i]);
        out_end(cmd->out);
    }
    return err;
}

/* A backup that cannot be restored is no backup: it is removed, and no older one is. */
static enum err keep(struct cmd *cmd, struct str folder, struct arena *arena, struct fail *fail)
{
    int64_t count = options_i64(cmd->options, "keep", 0);
    struct str file = backup_name(folder, "stockact", clock_wall_ms(), "db", arena);
    TRY(write_backup(cmd, file, fail));
    enum err err = restore_drill(cmd, file, fail);
    if (err == ERR_CORRUPT)
        unlink(file.p);
    return err ? err : remove_old(cmd, folder, file, count, arena, fail);
}

/* Of a folder, its newest backup. */
static enum err verify(struct cmd *cmd, struct str file, struct arena *arena, struct fail *fail)
{
    struct stat st;
    struct backup_list kept;
    if (stat(file.p, &st) != 0 || !S_ISDIR(st.st_mode))
        return restore_drill(cmd, file, fail);
    TRY(backup_list(file, KEPT, arena, &kept, fail));
    if (!kept.count)
        return fail_set(
            fail, ERR_NOT_FOUND, "the folder \"%s\" has no backup of `backup --keep`", file.p);
    return restore_drill(cmd, kept.files[kept.count - 1], fail);
}

/* Until it is killed, which loses nothing that was read. */
static enum err follow(struct cmd *cmd, struct fail *fail)
{
    const struct timespec pause = {.tv_sec = BACKUP_FOLLOW_MS / SECOND_MS};
    struct backup_follow *f = NULL;
    struct str folder = cmd->options->operands[0];
    if (!settings_embedded(cmd->settings))
        return fail_set(
            fail, ERR_REFUSED,
            "PostgreSQL archives its own write-ahead log: see docs/operate.md, \"Back to a point "
            "in time\"");
    enum err err =
        note_backup(cmd, fail); /* it says whose database it is, and whether it is there */
    if (!err)
        err = backup_follow_start(
            cmd->settings->database, folder, options_i64(cmd->options, "keep", FOLLOW_KEPT), &f,
            fail);
    while (!err) {
        bool copied = false;
        err = backup_follow_look(f, clock_wall_ms(), &copied, fail);
        if (!err && copied) {
            err = note_backup(cmd, fail);
            out_begin(cmd->out, OUT_BLOCK);
            out_str(cmd->out, "copied", folder);
            out_end(cmd->out);
            out_flush(cmd->out);
        }
        if (!err)
            nanosleep(&pause, NULL);
    }
    backup_follow_stop(f);
    return err;
}

enum err cmd_backup(struct cmd *cmd, struct fail *fail)
{
    const struct options *options = cmd->options;
    bool keeps = options_given(options, "keep"), verifies = options_given(options, "verify"),
         notes = options_given(options, "note"), follows = options_given(options, "follow");
    if (verifies + notes + (keeps || follows) > 1)
        return fail_set(fail, ERR_INVALID, "give one of --keep, --verify, --follow and --note");
    if (options->operand_count != (notes ? 0 : 1))
        return fail_set(
            fail, ERR_INVALID, notes ? "--note takes no file" : "`stockact backup` needs FILE");
    if (keeps && options_i64(options, "keep", 0) < 1)
        return fail_set(fail, ERR_INVALID, "--keep must be at least 1");
    if (notes)
        return note_backup(cmd, fail);
    if (follows)
        return follow(cmd, fail);
    ARENA_SCOPED(arena);
    struct str file = options->operands[0];
    enum err err = verifies ? verify(cmd, file, &arena, fail)
                   : keeps  ? keep(cmd, file, &arena, fail)
                            : write_backup(cmd, file, fail);
    if (!err && !verifies) {
        struct fail unused;
        enum err ignored = note_backup(cmd, &unused);
        (void)ignored;
    }
    return err;
}
