/* `stockact snapshot`, `export` and `verify`: what is published as files that prove themselves. */
#include "record/snapshot.h"

#include <errno.h>
#include <sys/resource.h>

#include "api/trades.h"
#include "base/clock.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/progress.h"
#include "feed/trade_filter.h"
#include "record/record_rows.h"
#include "record/record_tables.h"
#include "record/record_verify.h"
#include "rule/plan.h"
#include "store/row/credible.h"

enum { LOW_PRIORITY = 10 };

static const struct progress_label writing = {"Writing", NULL, NULL};

static void show_file(struct out *out, const struct manifest_file *file)
{
    out_begin(out, OUT_TABLE);
    out_str(out, "file", file->name);
    out_i64(out, "rows", file->rows);
    out_bytes_unless(out, "bytes", file->bytes, -1);
    out_end(out);
}

static void show(struct out *out, const struct snapshot_want *want, const struct manifest *m)
{
    BUF_SCOPED(key, SIZE_MAX);
    minisign_public_put(&key, &want->key->shown);
    for (size_t i = 0; i < m->file_count; i++)
        show_file(out, &m->files[i]);
    out_begin(out, OUT_BLOCK);
    out_str(out, "snapshot", m->day);
    out_i64(out, "number", m->sequence);
    out_instant(out, "publishedBefore", m->until_ms);
    if (m->withheld)
        out_i64(out, "withheld", m->withheld);
    out_str(out, "key", buf_view(&key));
    out_end(out);
}

/* Visitors see a publication after the delay: the same line as on the pages of now. */
static int64_t line_of(const struct cmd *cmd, int64_t now_ms)
{
    int64_t hours = plan_page_delay(PLAN_SCOUT, cmd->settings->visitor_delay);
    return hours ? now_ms - hours * HOUR_MS + 1 : INSTANT_NONE;
}

/* What is visible now. *ret_line: where it ends. The caller closes *ret_db. */
static enum err load(
    struct cmd *cmd, struct feed *feed, int64_t now_ms, int64_t *ret_line, struct db **ret_db,
    struct fail *fail)
{
    int64_t seq;
    *ret_line = options_given(cmd->options, "whole") ? INSTANT_NONE : line_of(cmd, now_ms);
    TRY(store_access_open(cmd, STORE_READ, ret_db, fail));
    TRY(credible_check(*ret_db, now_ms, fail)); /* a clock that is ahead would show too much */
    return feed_load(feed, *ret_db, &seq, fail);
}

static enum err load_and_write(
    struct cmd *cmd, struct feed *feed, const struct minisign_key *key, struct arena *arena,
    struct fail *fail)
{
    DB_SCOPED(db);
    struct manifest *m = ARENA_NEW(arena, struct manifest);
    struct snapshot_want want = {
        .folder = cmd->options->operands[0],
        .feed = feed,
        .now_ms = clock_wall_ms(),
        .whole = options_given(cmd->options, "whole"),
        .key = key,
    };
    struct progress *progress = progress_start(cmd->out, &writing);
    enum err err = load(cmd, feed, want.now_ms, &want.until_ms, &db, fail);
    want.db = db;
    if (!err)
        err = snapshot_write(&want, arena, m, fail);
    progress_stop(progress);
    if (err == ERR_EXISTS && options_given(cmd->options, "if-missing")) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "note", str_from(fail->text));
        out_end(cmd->out);
        return OK;
    }
    if (!err)
        show(cmd->out, &want, m);
    return err;
}

static void be_low(void)
{
    int low = setpriority(PRIO_PROCESS, 0, LOW_PRIORITY);
    (void)low; /* a machine that refuses it only makes readers wait a little longer */
}

enum err cmd_snapshot(struct cmd *cmd, struct fail *fail)
{
    ARENA_SCOPED(arena);
    uint8_t master[SECRET_KEY_SIZE];
    struct minisign_key key;
    TRY(store_access_master_key(cmd, master, fail));
    minisign_key_init(&key, str_of((const char *)master, sizeof master));
    mem_wipe(master, sizeof master);
    be_low();
    struct feed *feed = feed_create();
    rcu_thread_start();
    enum err err = load_and_write(cmd, feed, &key, &arena, fail);
    rcu_thread_stop();
    feed_destroy(feed);
    minisign_key_finish(&key);
    return err;
}

/* --- export */

static int print_rows(void *ctx, struct str rows)
{
    struct cmd *cmd = ctx;
    return fwrite(rows.p, 1, rows.n, cmd->out->to) == rows.n ? 0 : errno ? errno : EIO;
}

static enum err print_trades(
    struct cmd *cmd, bool csv, const struct record_from *from, struct fail *fail)
{
    struct record_file file = {.take = print_rows, .ctx = cmd};
    TRY(record_parts[csv ? 0 : 1].put(&file, from, fail));
    if (file.system_error)
        return fail_set(fail, ERR_IO, "cannot write the rows: %s", strerror(file.system_error));
    return OK;
}

static enum err save_trades(
    struct cmd *cmd, struct str path, const struct record_from *from, struct fail *fail)
{
    int64_t rows;
    TRY(record_tables_export(path, from, &rows, fail));
    out_begin(cmd->out, OUT_BLOCK);
    out_str(cmd->out, "file", path);
    out_i64(cmd->out, "rows", rows);
    out_end(cmd->out);
    return OK;
}

/* The filters of GET /trades, as they stand in its address. */
static enum err read_filters(
    const struct cmd *cmd, struct arena *arena, struct param_values *ret, struct fail *fail)
{
    static const struct param_set set = {.filters = &trade_filter_params};
    BUF_SCOPED(text, SIZE_MAX);
    struct query_pairs pairs;
    struct param_refusal why;
    for (size_t i = 0; i < cmd->options->operand_count; i++)
        buf_fmt(&text, "%s%.*s", i ? "&" : "", STR_ARG(cmd->options->operands[i]));
    enum query_verdict verdict = query_read(arena_str(arena, buf_view(&text)), arena, &pairs);
    if (!params_read(&set, CURSOR_TRADES, &pairs, verdict, arena, ret, &why))
        return fail_set(fail, ERR_INVALID, "%.*s", STR_ARG(why.hint));
    return OK;
}

static enum err load_and_export(
    struct cmd *cmd, struct feed *feed, const struct feed_filter *filter, struct fail *fail)
{
    static const struct progress_label exporting = {"Exporting", "trade", "trades", NULL};
    DB_SCOPED(db);
    struct str format = options_value(cmd->options, "format");
    int64_t now_ms = clock_wall_ms();
    struct record_from from = {.feed = feed, .filter = filter, .today = instant_day_utc(now_ms)};
    struct progress *bar = progress_start(cmd->out, &exporting);
    const struct progress_hook hook = progress_hook_of(bar);
    enum err err = load(cmd, feed, now_ms, &from.until_ms, &db, fail);
    from.progress = &hook;
    if (!err) {
        rcu_read_begin();
        from.total = cmd->options->operand_count ? 0 : feed_stats(feed).trades;
        err = str_eq(format, STR("sqlite"))
                  ? save_trades(cmd, options_value(cmd->options, "output"), &from, fail)
                  : print_trades(cmd, str_eq(format, STR("csv")), &from, fail);
        rcu_read_end();
    }
    progress_stop(bar);
    return err;
}

enum err cmd_export(struct cmd *cmd, struct fail *fail)
{
    ARENA_SCOPED(arena);
    MEM_UNFILLED struct feed_test tests[PARAM_TABLE_MAX];
    struct feed_filter filter = FEED_FILTER_NONE;
    struct param_values values;
    bool sqlite = str_eq(options_value(cmd->options, "format"), STR("sqlite"));
    if (sqlite != options_given(cmd->options, "output"))
        return fail_set(
            fail, ERR_INVALID,
            "--output FILE goes with --format sqlite; rows of the other formats are printed");
    TRY(read_filters(cmd, &arena, &values, fail));
    trades_read_filters(&values, &filter, tests);
    be_low();
    struct feed *feed = feed_create();
    rcu_thread_start();
    enum err err = load_and_export(cmd, feed, &filter, fail);
    rcu_thread_stop();
    feed_destroy(feed);
    return err;
}

static void show_fault(void *ctx, struct str path, const char *what)
{
    struct out *out = ctx;
    out_begin(out, OUT_BLOCK);
    out_str(out, "fault", path);
    out_state(out, "what", str_from(what), OUT_BAD);
    out_end(out);
}

enum err cmd_verify(struct cmd *cmd, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct record_verified found;
    struct str folder = cmd->options->operands[0];
    struct str key =
        options_given(cmd->options, "key") ? options_value(cmd->options, "key") : STR_NULL;
    TRY(record_verify(folder, key, show_fault, cmd->out, &arena, &found, fail));
    if (found.faults)
        return fail_set(
            fail, ERR_CORRUPT, "the snapshots of \"%.*s\" have %lld fault%s", STR_ARG(folder),
            (long long)found.faults, found.faults == 1 ? "" : "s");
    out_begin(cmd->out, OUT_BLOCK);
    out_i64(cmd->out, "snapshots", found.snapshots);
    out_i64(cmd->out, "files", found.files);
    out_str(cmd->out, "newest", found.newest);
    out_str(cmd->out, "key", found.key);
    out_end(cmd->out);
    return OK;
}
