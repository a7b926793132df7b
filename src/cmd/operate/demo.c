/* `stockact demo`: fills an empty database with invented data. With --publish it publishes more
 * invented filings, and with --live it serves the database and publishes one from time to time. */
#include "demo/demo.h"

#include <stdio.h>

#include "base/clock.h"
#include "cmd/operate/demo_publish.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/progress.h"
#include "rule/invented.h"
#include "store/row/meta.h"

static const struct progress_label inventing = {"Inventing", "trade", "trades"};

static enum err fill(struct cmd *cmd, struct db *db, struct fail *fail)
{
    int64_t now_ms = clock_wall_ms();
    int32_t as_of = instant_day_utc(now_ms);
    struct demo_report report;
    if (options_given(cmd->options, "as-of"))
        day_parse(options_value(cmd->options, "as-of"), &as_of);
    struct progress *progress = progress_start(cmd->out, &inventing);
    const struct progress_hook hook = progress_hook_of(progress);
    enum err err = demo_fill(
        db, options_i64(cmd->options, "trades", DEMO_TRADES_DEFAULT), as_of, now_ms, &hook, &report,
        fail);
    progress_stop(progress);
    if (err)
        return err;
    store_access_wait_servers(db);
    out_begin(cmd->out, OUT_BLOCK);
    out_str(cmd->out, "data", STR(INVENTED_VALUE));
    out_i64(cmd->out, "members", report.members);
    out_i64(cmd->out, "filings", report.filings);
    out_i64(cmd->out, "trades", report.trades);
    out_end(cmd->out);
    return OK;
}

/* On a terminal, before the server's log. */
static void tell_how_to_get_a_key(struct cmd *cmd)
{
    struct str database = cmd->settings->database;
    if (!out_is_page(cmd->out))
        return;
    out_line(cmd->out, "\nThis publishes one more invented filing from time to time.");
    out_line(cmd->out, "For a key, in another terminal:\n");
    if (str_starts(database, STR("sqlite:"))) /* another address may have a password */
        out_line(cmd->out, "  export STOCKACT_DATABASE='%.*s'", STR_ARG(database));
    out_line(cmd->out, "  stockact accounts create --email you@example.org --plan pack");
    out_line(cmd->out, "  stockact keys mint --email you@example.org --name development\n");
}

/* Given, and only of use for a database that is filled now: NULL if there is none. */
static const char *filling_option(const struct options *options)
{
    static const char *const names[] = {"trades", "as-of"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (options_given(options, names[i]))
            return names[i];
    return NULL;
}

/* Demonstration data that is there is used, so that the same command can be run again. */
static enum err fill_if_new(struct cmd *cmd, struct db *db, struct fail *fail)
{
    enum meta_data data;
    const char *option = filling_option(cmd->options);
    enum err err = meta_data_get(db, &data, fail);
    if (!err && data == META_DATA_DEMO && option)
        fprintf(
            stderr,
            "stockact: the database has demonstration data already, so --%s changes nothing: name "
            "a new one with --database\n",
            option);
    if (err || data == META_DATA_DEMO)
        return err;
    err = fill(cmd, db, fail);
    if (!err)
        tell_how_to_get_a_key(cmd);
    return err;
}

static enum err check_options(const struct options *options, struct fail *fail)
{
    bool live = options_given(options, "live"), publish = options_given(options, "publish");
    if (live && publish)
        return fail_set(fail, ERR_INVALID, "use --live or --publish, not both");
    int64_t rows = options_i64(options, "rows", 1);
    if (rows < 1 || rows > DEMO_ROWS_MAX)
        return fail_set(fail, ERR_INVALID, "--rows is a number from 1 to %d", DEMO_ROWS_MAX);
    if (publish && filling_option(options))
        return fail_set(
            fail, ERR_INVALID, "--publish adds to the data that is there: it takes no --%s",
            filling_option(options));
    if (options_given(options, "every") && !live && !publish)
        return fail_set(fail, ERR_INVALID, "--every needs --live or --publish");
    return OK;
}

enum err cmd_demo(struct cmd *cmd, struct fail *fail)
{
    bool live = options_given(cmd->options, "live"),
         publish = options_given(cmd->options, "publish");
    struct db *db = NULL;
    enum err err = check_options(cmd->options, fail);
    if (!err)
        err = store_access_open(cmd, publish ? STORE_WRITE : STORE_MIGRATE, &db, fail);
    if (!err && publish)
        err = demo_publish(cmd, db, fail);
    else if (!err)
        err = live ? fill_if_new(cmd, db, fail) : fill(cmd, db, fail);
    db_close(db);
    return !err && live ? demo_publish_while_serving(cmd, fail) : err;
}
