/* `stockact members import` and `stockact backfill`: data sets that a person hands in. */
#include "base/clock.h"
#include "cmd/backfill_senate.h"
#include "cmd/file.h"
#include "cmd/session.h"
#include "ingest/members.h"

enum { IMPORT_SIZE_MAX = 512 << 20 };

static void show_members(struct out *out, const struct members_report *report)
{
    out_begin(out, OUT_BLOCK);
    out_i64(out, "people", (int64_t)report->people);
    out_i64(out, "added", (int64_t)report->added);
    out_i64(out, "changed", (int64_t)report->changed);
    out_end(out);
}

enum err cmd_members_import(struct cmd *cmd, struct fail *fail)
{
    size_t count = cmd->options->operand_count;
    struct members_file *files = mem_array(count, sizeof *files);
    struct buf *texts = mem_array(count, sizeof *texts);
    struct members_report report;
    struct db *db = NULL;
    enum err err = OK;
    for (size_t i = 0; i < count; i++) {
        buf_init(&texts[i], IMPORT_SIZE_MAX);
        if (!err)
            err = file_read(cmd->options->operands[i].p, &texts[i], fail);
        files[i] = (struct members_file){cmd->options->operands[i], buf_view(&texts[i])};
    }
    if (!err)
        err = session_open(cmd, STORE_MIGRATE, &db, fail);
    if (!err)
        err = members_import(db, files, count, &report, fail);
    if (!err) {
        session_told(db);
        show_members(cmd->out, &report);
    }
    db_close(db);
    for (size_t i = 0; i < count; i++)
        buf_finish(&texts[i]);
    mem_free(texts);
    mem_free(files);
    return err;
}

static void show_refusal(void *ctx, const struct stock_watcher_refusal *refusal)
{
    struct out *out = ctx;
    out_begin(out, OUT_TABLE);
    out_i64(out, "record", (int64_t)refusal->record);
    out_str(out, "filingId", refusal->filing_id);
    out_i64(out, "row", refusal->row);
    out_str(out, "refused", refusal->reason);
    out_end(out);
}

static void show_backfill(struct out *out, const struct backfill_report *report)
{
    const struct {
        const char *name;
        size_t value;
    } counts[] = {
        {"filingsRead", report->filings_read},
        {"filingsAdded", report->filings_added},
        {"filingsUnchanged", report->filings_unchanged},
        {"filingsRefused", report->filings_refused},
        {"filingsWithoutRows", report->filings_without_rows},
        {"rowsRead", report->rows_read},
        {"tradesAdded", report->trades_added},
        {"rowsRefused", report->rows_refused},
        {"people", report->people},
        {"filers", report->filers},
    };
    out_begin(out, OUT_BLOCK);
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        out_i64(out, counts[i].name, (int64_t)counts[i].value);
    out_end(out);
}

enum err cmd_backfill_stock_watcher(struct cmd *cmd, struct fail *fail)
{
    struct str name = cmd->options->operands[0];
    struct backfill_report report;
    struct db *db = NULL;
    struct buf text;
    buf_init(&text, IMPORT_SIZE_MAX);
    enum err err = file_read(name.p, &text, fail);
    if (!err)
        err = session_open(cmd, STORE_MIGRATE, &db, fail);
    if (!err)
        err = backfill_senate(
            db, name, buf_view(&text), options_value(cmd->options, "by"), clock_wall_ms(),
            show_refusal, cmd->out, &report, fail);
    if (!err) {
        session_told(db);
        show_backfill(cmd->out, &report);
    }
    db_close(db);
    buf_finish(&text);
    return err;
}
