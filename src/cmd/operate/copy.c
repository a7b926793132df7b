/* `stockact copy`: moves a database into another one, compares two, or cancels a copy. */
#include "store/copy/copy.h"

#include "base/codec.h"
#include "cmd/operate/database_place.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/progress.h"
#include "config/values.h"

enum { DIGEST_SHOWN = 16 }; /* bytes: enough to tell, and a line of a terminal holds them */

struct copying {
    struct cmd *cmd;
    struct arena arena; /* outlives the connections */
    struct str urls[2];
    struct db *from, *to;
    struct copy_report report;
};

typedef enum err copying_fn(
    struct db *from, struct db *to, struct arena *arena, const struct progress_hook *progress,
    struct copy_report *ret, struct fail *fail);

/* Files by their full path: the marks of a copy name the other database to people elsewhere.
 * Another user's file is refused, as every command does. */
static enum err place(struct copying *c, struct str url, struct str *ret, struct fail *fail)
{
    struct settings settings = *c->cmd->settings;
    char owner[FILE_OWNER_SIZE];
    settings.database = url;
    *ret = url;
    if (!settings_embedded(&settings))
        return OK;
    if (database_place_is_others(&settings, true, owner))
        return fail_set(
            fail, ERR_REFUSED, "\"%.*s\" belongs to the user %s: run `sudo -u %s stockact ...`",
            STR_ARG(settings_database_path(&settings)), owner, owner);
    *ret = arena_fmt(&c->arena, "sqlite:%.*s", STR_ARG(database_place_name(&settings, &c->arena)));
    return OK;
}

static enum err open_one(
    struct copying *c, int i, enum store_mode mode, struct db **ret, struct fail *fail)
{
    struct str url = c->cmd->options->operands[i];
    if (!value_database(url)) /* it is not repeated, as it may have a password */
        return fail_set(
            fail, ERR_INVALID, "%s must be sqlite:PATH or postgresql://HOST/NAME",
            i == 0 ? "FROM" : "TO");
    TRY(place(c, url, &c->urls[i], fail));
    return store_open(c->urls[i], mode, ret, fail);
}

static enum err open_both(
    struct copying *c, enum store_mode from, enum store_mode to, struct fail *fail)
{
    TRY(open_one(c, 0, from, &c->from, fail));
    return open_one(c, 1, to, &c->to, fail);
}

static void finish(struct copying *c)
{
    db_close(c->from);
    db_close(c->to);
    arena_finish(&c->arena);
}

static enum err run_with_bar(struct copying *c, copying_fn *fn, struct fail *fail)
{
    struct progress *bar = progress_start(c->cmd->out, copy_labels);
    const struct progress_hook hook = progress_hook_of(bar);
    enum err err = fn(c->from, c->to, &c->arena, &hook, &c->report, fail);
    progress_stop(bar);
    return err;
}

static void print_tables(struct copying *c)
{
    struct out *out = c->cmd->out;
    for (size_t i = 0; i < c->report.table_count; i++) {
        const struct copy_reported *table = &c->report.tables[i];
        if (table->rows == 0)
            continue;
        char digest[2 * DIGEST_SHOWN];
        hex_encode(table->digest, DIGEST_SHOWN, digest);
        out_begin(out, OUT_TABLE);
        out_str(out, "table", table->name);
        out_count(out, "rows", table->rows);
        out_str(out, "digest", str_of(digest, sizeof digest));
        out_end(out);
    }
}

static enum err print_moved(struct copying *c, struct fail *fail)
{
    struct out *out = c->cmd->out;
    struct key_mark key;
    TRY(key_mark_get(c->to, &key, fail));
    if (!c->report.was_whole)
        print_tables(c);
    out_begin(out, OUT_BLOCK);
    out_str(out, "from", db_name(c->from));
    out_str(out, "to", db_name(c->to));
    out_state(out, "state", c->report.was_whole ? STR("moved before") : STR("moved"), OUT_GOOD);
    if (!c->report.was_whole) {
        out_count(out, "rows", c->report.rows);
        out_count(out, "changedMeanwhile", c->report.changed);
        out_count(out, "readOnlyMs", c->report.read_only_ms);
    }
    out_str(out, "secretKeyNeeded", key.text[0] ? str_from(key.text) : STR_NULL);
    out_str(
        out, "next",
        STR("set STOCKACT_DATABASE to the new database, and STOCKACT_SECRET_KEY_FILE to the file "
            "of the master key, and restart the servers"));
    out_end(out);
    return OK;
}

/* No server starts on an SQLite file that is being filled, and no second copy. */
static enum err copy_locked(struct copying *c, struct fail *fail)
{
    struct store_lock *lock = NULL;
    enum err err = store_lock_server(c->urls[1], &lock, fail);
    if (!err)
        err = run_with_bar(c, copy_run, fail);
    store_unlock_server(lock);
    return err ? err : print_moved(c, fail);
}

static enum err move(struct cmd *cmd, struct fail *fail)
{
    struct copying c = {.cmd = cmd};
    arena_init(&c.arena);
    enum err err = open_both(&c, STORE_COPY_SOURCE, STORE_COPY_TARGET, fail);
    if (!err)
        err = copy_locked(&c, fail);
    finish(&c);
    return err;
}

static enum err compare(struct cmd *cmd, struct fail *fail)
{
    struct copying c = {.cmd = cmd};
    arena_init(&c.arena);
    enum err err = open_both(&c, STORE_COPY_SOURCE, STORE_COPY_SOURCE, fail);
    if (!err)
        err = run_with_bar(&c, copy_compare, fail);
    if (!err)
        print_tables(&c);
    finish(&c);
    return err;
}

static enum err cancel(struct cmd *cmd, struct fail *fail)
{
    struct copying c = {.cmd = cmd};
    struct copy_mark mark;
    arena_init(&c.arena);
    enum err err = open_one(&c, 0, STORE_COPY_SOURCE, &c.from, fail);
    if (!err)
        err = copy_cancel(c.from, &c.arena, &mark, fail);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "database", db_name(c.from));
        out_str(cmd->out, "cancelled", mark.other);
        out_str(
            cmd->out, "next",
            mark.state == COPY_CLOSED
                ? STR("make sure that no server uses the copy: both databases take changes now")
                : STR("drop the incomplete copy"));
        out_end(cmd->out);
    }
    finish(&c);
    return err;
}

enum err cmd_copy(struct cmd *cmd, struct fail *fail)
{
    bool cancels = options_given(cmd->options, "cancel"),
         compares = options_given(cmd->options, "compare");
    if (cancels && compares)
        return fail_set(fail, ERR_INVALID, "give either --cancel or --compare");
    if (cancels && cmd->options->operand_count != 1)
        return fail_set(fail, ERR_INVALID, "--cancel takes one database: the source of the copy");
    if (!cancels && cmd->options->operand_count != 2)
        return fail_set(fail, ERR_INVALID, "name two databases: FROM and TO");
    return cancels ? cancel(cmd, fail) : compares ? compare(cmd, fail) : move(cmd, fail);
}
