/* See demo_publish.h. */
#include "cmd/operate/demo_publish.h"

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
#include "config/values.h"
#include "demo/demo.h"
#include "review/publish.h"

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

enum err demo_publish(struct cmd *cmd, struct db *db, struct fail *fail)
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

enum err demo_publish_while_serving(struct cmd *cmd, struct fail *fail)
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
