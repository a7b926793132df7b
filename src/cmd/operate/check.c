/* `stockact check`: checks the integrity of the database. */
#include "store/check/chain_check.h"
#include "store/check/check.h"

#include "base/clock.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/progress.h"
#include "store/public/redate.h"

enum { FUTURE_SIZE = 120 };

static void show_finding(void *ctx, struct str what)
{
    struct out *out = ctx;
    out_begin(out, OUT_BLOCK);
    out_state(out, "finding", what, OUT_BAD);
    out_end(out);
}

static enum err check_future(struct db *db, struct out *out, int64_t *findings, struct fail *fail)
{
    char line[FUTURE_SIZE], last[INSTANT_TEXT_SIZE];
    struct redate_found found;
    struct buf b = buf_over(line, sizeof line);
    enum err err = redate_find(db, clock_wall_ms(), &found, fail);
    if (err || !found.count)
        return err;
    instant_print(found.last, last);
    buf_fmt(
        &b, "stored times are in the future, up to %.*s: run `stockact redate`", (int)sizeof last,
        last);
    show_finding(out, buf_view(&b));
    *findings += found.count;
    return OK;
}

/* Prints the end of the chain, to be noted elsewhere and compared later. */
static void show_sound(
    struct out *out, struct str database, const struct chain_head *head, int64_t unsealed)
{
    char text[CHAIN_HEAD_TEXT_SIZE];
    out_begin(out, OUT_BLOCK);
    out_str(out, "database", database);
    out_mood(out, OUT_GOOD);
    out_i64(out, "findings", 0);
    if (unsealed)
        out_i64(out, "unsealed", unsealed);
    out_str(out, "head", head->no ? chain_head_print(head, text) : STR_NULL);
    out_end(out);
}

enum err cmd_check(struct cmd *cmd, struct fail *fail)
{
    DB_SCOPED(db);
    struct chain_head head, noted = {.no = 0};
    int64_t findings, unsealed;
    struct str option =
        options_given(cmd->options, "head") ? options_value(cmd->options, "head") : STR_NULL;
    if (!str_is_null(option) && !chain_head_parse(option, &noted))
        return fail_set(
            fail, ERR_INVALID, "--head \"%.*s\" is not NUMBER:HASH, as `stockact check` prints it",
            STR_ARG(option));
    TRY(store_access_open(cmd, STORE_READ, &db, fail));
    struct progress *progress = progress_start(cmd->out, check_labels);
    const struct progress_hook hook = progress_hook_of(progress);
    enum err err = check_run(db, show_finding, cmd->out, &hook, &findings, fail);
    if (!err && noted.no)
        err = chain_check_head(db, &noted, show_finding, cmd->out, &findings, fail);
    if (!err)
        err = check_future(db, cmd->out, &findings, fail);
    if (!err && findings == 0)
        err = chain_head(db, &head, fail);
    if (!err && findings == 0)
        err = check_unsealed(db, &unsealed, fail);
    progress_stop(progress);
    if (!err && findings > 0)
        err = fail_set(
            fail, ERR_CORRUPT, "%.*s failed the check: %lld %s, listed above", STR_ARG(db_name(db)),
            (long long)findings, findings == 1 ? "finding" : "findings");
    else if (!err) {
        store_access_done(cmd, db, UPGRADE_CHECK);
        show_sound(cmd->out, db_name(db), &head, unsealed);
    }
    return err;
}
