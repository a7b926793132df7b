/* `stockact restore`: puts a backup in the place of a database that does not exist. */
#include "db/restore.h"

#include <string.h>
#include <sys/stat.h>

#include "cmd/operate/restore_drill.h"

#include "cmd/operate/database_place.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/progress.h"
#include "db/backup_follow.h"
#include "serve/master_key.h"
#include "store/check/check.h"

struct restoring {
    struct cmd *cmd;
    const char *file, *path; /* the backup; the database */
    struct arena arena;
    struct str key_file, kept; /* kept: the key, in another file; null: none */
    enum master_key_fit fit;
    struct key_mark needed;
    int64_t until_ms, reached_at; /* of a folder that follows; reached_at: INSTANT_NONE: no other */
};

static const struct {
    const char *name; /* in the output */
    const char *next; /* what to do; NULL: start the server */
    enum out_mood mood;
} fits[] = {
    [MASTER_KEY_FITS] = {"fits", NULL, OUT_GOOD},
    [MASTER_KEY_MISSING] =
        {"missing",
         "put the file of that key there before you start the server; it is beside the database "
         "that the backup was made from. If it is lost: `stockact secret rotate --lost`",
         OUT_BAD},
    [MASTER_KEY_DIFFERS] =
        {"differs",
         "the file that is there is another database's key: move it away and put this database's "
         "key there. If it is lost: `stockact secret rotate --lost`",
         OUT_BAD},
    [MASTER_KEY_NOT_NEEDED] = {"not needed", NULL, OUT_GOOD},
};

static void show_finding(void *ctx, struct str what)
{
    struct out *out = ctx;
    out_begin(out, OUT_BLOCK);
    out_str(out, "finding", what);
    out_end(out);
}

/* The copy is migrated too, so that a backup of an older version is checked in full. */
static enum err check_copy(
    struct restoring *r, struct str url, struct progress *bar, struct fail *fail)
{
    struct db *db = NULL;
    int64_t findings = 0;
    struct fail why = {0};
    const struct progress_hook hook = progress_hook_of(bar);
    enum err err = store_migrate(url, &hook, &db, &why);
    progress_relabel(bar, check_labels);
    if (!err)
        err = check_run(db, show_finding, r->cmd->out, &hook, &findings, &why);
    if (!err && findings > 0)
        err = fail_set(
            &why, ERR_CORRUPT, "it failed the check: %lld %s, listed above", (long long)findings,
            findings == 1 ? "finding" : "findings");
    if (!err)
        err = master_key_compare(r->key_file, db, &r->fit, &r->needed, &why);
    if (!err && r->fit != MASTER_KEY_FITS)
        err = master_key_beside(r->key_file, db, &r->arena, &r->kept, &why);
    db_close(db);
    struct str reason = str_from(why.text), copy = arena_fmt(&r->arena, "%s.restoring: ", r->path);
    if (str_starts(reason, copy)) /* who restores does not know of the copy */
        reason = str_slice(reason, copy.n, reason.n);
    return err ? fail_set(
                     fail, err, "\"%s\" cannot be restored: %.*s", r->file,
                     reason.n < 380 ? (int)reason.n : 380, reason.p)
               : OK;
}

static void print(struct restoring *r)
{
    struct out *out = r->cmd->out;
    out_begin(out, OUT_BLOCK);
    out_str(out, "database", str_from(r->path));
    out_str(out, "backup", str_from(r->file));
    if (r->reached_at != INSTANT_NONE)
        out_instant(out, "restoredTo", r->reached_at);
    out_str(out, "secretKeyFile", r->key_file);
    out_str(out, "secretKeyNeeded", r->needed.text[0] ? str_from(r->needed.text) : STR_NULL);
    out_state(out, "secretKey", str_from(fits[r->fit].name), fits[r->fit].mood);
    out_str(
        out, "next",
        str_is_null(r->kept) ? str_from(fits[r->fit].next ? fits[r->fit].next : "start the server")
                             : arena_fmt(
                                   &r->arena, "that key is kept in \"%.*s\": copy it to \"%.*s\"",
                                   STR_ARG(r->kept), STR_ARG(r->key_file)));
    out_end(out);
}

/* Of a folder, the copy and the log that `backup --follow` made. */
static enum err choose(struct restoring *r, bool *ret_follows, struct fail *fail)
{
    struct stat st;
    struct str at =
        options_knows(r->cmd->options, "at") ? options_value(r->cmd->options, "at") : STR_NULL;
    struct str copy, folder = str_from(r->file);
    r->until_ms = INT64_MAX;
    if (!str_is_null(at) && !instant_parse(at, &r->until_ms))
        return fail_set(fail, ERR_INVALID, "--at is not an instant");
    if (stat(r->file, &st) != 0 || !S_ISDIR(st.st_mode))
        return str_is_null(at)
                   ? OK
                   : fail_set(fail, ERR_INVALID, "--at needs a folder: \"%s\" is none", r->file);
    *ret_follows = true;
    TRY(backup_follow_find(folder, r->until_ms, &r->arena, &copy, fail));
    r->file = copy.p;
    return OK;
}

static enum err copy(struct restoring *r, struct str *ret_url, struct fail *fail)
{
    static const struct progress_label copying = {"Copying", NULL, NULL};
    bool follows = false;
    TRY(choose(r, &follows, fail));
    struct progress *bar = progress_start(r->cmd->out, &copying);
    const struct progress_hook hook = progress_hook_of(bar);
    enum err err = restore_begin(r->file, r->path, &hook, &r->arena, ret_url, fail);
    if (!err && follows) {
        err = backup_follow_apply(
            str_from(r->file), ret_url->p + strlen("sqlite:"), r->until_ms, &r->reached_at, fail);
        if (err)
            restore_drop(r->path);
    }
    progress_stop(bar);
    return err;
}

static enum err check(struct restoring *r, struct str url, struct fail *fail)
{
    struct progress *bar = progress_start(r->cmd->out, migrate_labels);
    enum err err = check_copy(r, url, bar, fail);
    progress_stop(bar);
    return err;
}

static enum err restore(struct restoring *r, bool drill, struct fail *fail)
{
    struct str url;
    TRY(copy(r, &url, fail));
    enum err err = check(r, url, fail);
    if (!err && !drill)
        err = restore_end(r->path, fail);
    else
        restore_drop(r->path);
    return err;
}

enum err restore_drill(struct cmd *cmd, struct str file, struct fail *fail)
{
    struct restoring r = {.cmd = cmd, .file = file.p, .reached_at = INSTANT_NONE};
    arena_init(&r.arena);
    r.path = arena_fmt(&r.arena, "%.*s.drill", STR_ARG(file)).p;
    r.key_file = settings_secret_key_file(cmd->settings, &r.arena);
    enum err err = restore(&r, true, fail);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "verified", file);
        out_state(cmd->out, "secretKey", str_from(fits[r.fit].name), fits[r.fit].mood);
        out_end(cmd->out);
    }
    arena_finish(&r.arena);
    return err;
}

enum err cmd_restore(struct cmd *cmd, struct fail *fail)
{
    struct store_lock *lock = NULL;
    struct restoring r = {
        .cmd = cmd, .file = cmd->options->operands[0].p, .reached_at = INSTANT_NONE};
    if (!settings_embedded(cmd->settings))
        return fail_set(
            fail, ERR_REFUSED,
            "PostgreSQL is restored by its own program, into an empty database: pg_restore "
            "--exit-on-error --single-transaction --no-owner --dbname=\"$STOCKACT_"
            "DATABASE\" \"%s\". Then run `stockact check`",
            r.file);
    arena_init(&r.arena);
    r.path = arena_str(&r.arena, settings_database_path(cmd->settings)).p;
    r.key_file = settings_secret_key_file(cmd->settings, &r.arena);
    enum err err = database_place_check(cmd->settings, true, fail);
    if (!err)
        database_place_prepare(cmd->settings);
    if (!err)
        err = store_lock_server(cmd->settings->database, &lock, fail);
    if (err == ERR_BUSY)
        (void)fail_set(fail, err, "a server runs on this database: stop it, then restore");
    if (!err)
        err = restore(&r, false, fail);
    store_unlock_server(lock);
    if (!err)
        print(&r);
    arena_finish(&r.arena);
    return err;
}
