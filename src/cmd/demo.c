/* `stockact demo`: fills an empty database with invented data. With --publish it publishes more
 * invented filings live, for tests and benchmarks of publication. */
#include "demo/demo.h"

#include <time.h>

#include "base/clock.h"
#include "cmd/store_access.h"
#include "core/invented.h"
#include "review/publish.h"

enum { DEMO_ROWS_DEFAULT = 5 };

static enum err fill(struct cmd *cmd, struct db *db, struct fail *fail)
{
    int64_t now_ms = clock_wall_ms();
    int32_t as_of = instant_day_utc(now_ms);
    struct demo_report report;
    if (options_given(cmd->options, "as-of"))
        day_parse(options_value(cmd->options, "as-of"), &as_of);
    enum err err = demo_fill(
        db, options_i64(cmd->options, "trades", DEMO_TRADES_DEFAULT), as_of, now_ms, &report, fail);
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

static void show_publication(struct out *out, const struct publish_result *result)
{
    out_begin(out, OUT_TABLE);
    out_i64(out, "publication", result->publication);
    out_instant(out, "disclosedAt", result->disclosed_at);
    out_i64(out, "trades", (int64_t)result->trades);
    out_end(out);
    fflush(out->to); /* a reader of the pipe sees each publication as soon as it is durable */
}

static enum err publish(struct cmd *cmd, struct db *db, struct fail *fail)
{
    int64_t count = options_i64(cmd->options, "publish", 1),
            every_ms = options_i64(cmd->options, "every", 0);
    const struct timespec pause = {every_ms / 1000, every_ms % 1000 * 1000000};
    struct demo_publisher *publisher = NULL;
    enum err err = demo_publisher_open(
        db, (int)options_i64(cmd->options, "rows", DEMO_ROWS_DEFAULT), &publisher, fail);
    for (int64_t i = 0; i < count && !err; i++) {
        struct publish_result result;
        if (i > 0 && every_ms > 0)
            nanosleep(&pause, NULL);
        err = demo_publisher_next(publisher, clock_wall_ms(), &result, fail);
        if (!err)
            show_publication(cmd->out, &result);
    }
    demo_publisher_close(publisher);
    if (!err)
        store_access_wait_servers(db);
    return err;
}

enum err cmd_demo(struct cmd *cmd, struct fail *fail)
{
    bool live = options_given(cmd->options, "publish");
    struct db *db = NULL;
    enum err err = store_access_open(cmd, live ? STORE_WRITE : STORE_MIGRATE, &db, fail);
    if (!err)
        err = live ? publish(cmd, db, fail) : fill(cmd, db, fail);
    db_close(db);
    return err;
}
