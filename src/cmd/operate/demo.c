/* `stockact demo`: fills an empty database with invented data. With --publish it publishes more
 * invented filings, and with --live it serves the database and publishes one from time to time. */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/progress.h"
#include "config/values.h"
#include "demo/demo.h"
#include "review/publish.h"
#include "rule/invented.h"
#include "store/row/meta.h"

enum { ROWS_DEFAULT = 5, EVERY_MS_DEFAULT = 30 * 1000, PAUSE_S = 1000 };

static int64_t every_ms(const struct cmd *cmd, int64_t fallback)
{
    int64_t ms = fallback;
    if (options_given(cmd->options, "every"))
        value_duration(options_value(cmd->options, "every"), &ms);
    return ms;
}

static void rest(int64_t ms)
{
    const struct timespec pause = {ms / PAUSE_S, ms % PAUSE_S * 1000000};
    if (ms > 0)
        nanosleep(&pause, NULL);
}

static void show(struct out *out, const struct publish_result *result)
{
    out_begin(out, OUT_TABLE);
    out_i64(out, "publication", result->publication);
    out_instant(out, "disclosedAt", result->disclosed_at);
    out_i64(out, "trades", (int64_t)result->trades);
    out_end(out);
    out_flush(out); /* a reader of the pipe sees each publication as soon as it is durable */
}

static enum err open_publisher(
    struct cmd *cmd, struct db *db, struct demo_publisher **ret, struct fail *fail)
{
    return demo_publisher_open(db, (int)options_i64(cmd->options, "rows", ROWS_DEFAULT), ret, fail);
}

/* Publishes --publish filings with a pause of --every between them, and prints each. */
static enum err demo_publish(struct cmd *cmd, struct db *db, struct fail *fail)
{
    struct demo_publisher *publisher = NULL;
    int64_t count = options_i64(cmd->options, "publish", 1);
    enum err err = open_publisher(cmd, db, &publisher, fail);
    for (int64_t i = 0; i < count && !err; i++) {
        struct publish_result result;
        if (i > 0)
            rest(every_ms(cmd, 0));
        err = demo_publisher_next(publisher, clock_wall_ms(), &result, fail);
        if (!err)
            show(cmd->out, &result);
    }
    demo_publisher_close(publisher);
    if (!err)
        store_access_wait_servers(db);
    return err;
}

/* --- while a server runs */

/* Waits. False: the server has ended, which closes its end of the pipe. */
static bool rest_while_served(int pipe, int64_t ms)
{
    struct pollfd fd = {.fd = pipe};
    int n = poll(&fd, 1, (int)ms);
    return n == 0 || (n < 0 && errno == EINTR);
}

/* A publication that fails (a full disk) is reported, and the next one is tried. */
static enum err publish_until_closed(struct cmd *cmd, int pipe, struct fail *fail)
{
    struct demo_publisher *publisher = NULL;
    DB_SCOPED(db);
    int64_t pause_ms = every_ms(cmd, EVERY_MS_DEFAULT);
    if (!rest_while_served(pipe, pause_ms)) /* the server has filled its memory then */
        return OK;
    enum err err = store_access_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = open_publisher(cmd, db, &publisher, fail);
    while (!err) {
        struct publish_result result;
        if (demo_publisher_next(publisher, clock_wall_ms(), &result, fail)) {
            fprintf(stderr, "stockact: no filing was published: %s\n", fail->text);
        } else {
            store_access_wait_servers(db); /* what is printed is served */
            show(cmd->out, &result);
        }
        if (!rest_while_served(pipe, pause_ms))
            break;
    }
    demo_publisher_close(publisher);
    return err;
}

static _Noreturn void run_child(struct cmd *cmd, int pipe)
{
    struct fail fail;
    if (publish_until_closed(cmd, pipe, &fail))
        fprintf(stderr, "stockact: no filings are published: %s\n", fail.text);
    _exit(EXIT_SUCCESS);
}

/* Runs the server until a signal stops it. Meanwhile a child process publishes a filing --every so
 * often and prints it. The child ends with the server, also if that is killed: a pipe tells
 * it, because a confined server cannot send signals to it. */
static enum err demo_publish_while_serving(struct cmd *cmd, struct fail *fail)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return fail_set(fail, ERR_IO, "cannot create a pipe: %s", strerror(errno));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(ends[1]);
        run_child(cmd, ends[0]);
    }
    close(ends[0]);
    enum err err = child < 0 ? fail_set(fail, ERR_IO, "cannot start a process: %s", strerror(errno))
                             : cmd_serve(cmd, fail);
    close(ends[1]);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    return err;
}

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
    TRY(fill(cmd, db, fail));
    tell_how_to_get_a_key(cmd);
    return OK;
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
