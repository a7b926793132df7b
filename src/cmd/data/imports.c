/* `stockact members import`, `tickers import`, `oversight import` and `backfill`: import data sets
 * from files. */
#include "base/clock.h"
#include "cmd/data/backfill_senate.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/counts.h"
#include "cmd/term/progress.h"
#include "config/file.h"
#include "conflict/oversight.h"
#include "conflict/tickers.h"
#include "ingest/ingest.h"
#include "people/members.h"

static const struct progress_label importing_history[] = {
    [BACKFILL_READ] = {"Reading the history", "filing", "filings"},
    [BACKFILL_PUBLISH] = {"Publishing the history", "filing", "filings"},
    [BACKFILL_PAPERS] = {"Noting paper filings", "filing", "filings"},
};

enum { IMPORT_SIZE_MAX = 512 << 20 };

static void show_members(struct out *out, const struct members_report *report)
{
    const struct count_line counts[] = {
        {"people", (int64_t)report->people, "person in the files", "people in the files",
         OUT_PLAIN},
        {"added", (int64_t)report->added, "added", "added", OUT_GOOD},
        {"changed", (int64_t)report->changed, "changed", "changed", OUT_GOOD},
    };
    const struct counts_words words = {
        .title = "Members",
        .unchanged = report->added || report->changed ? NULL : "the database has them already",
        .next = "stockact ingest FOLDER",
        .why = "import reports of these members",
    };
    counts_print(out, &words, counts, sizeof counts / sizeof *counts);
}

/* The contents of the files named by the operands. */
struct imported {
    struct buf *texts;
    struct import_file *files;
    size_t count;
};

/* *ret needs free_operands even on an error. */
static enum err read_operands(
    struct cmd *cmd, size_t size_max, struct imported *ret, struct fail *fail)
{
    enum err err = OK;
    ret->count = cmd->options->operand_count;
    ret->texts = mem_array(ret->count, sizeof *ret->texts);
    ret->files = mem_array(ret->count, sizeof *ret->files);
    for (size_t i = 0; i < ret->count; i++) {
        struct str name = cmd->options->operands[i];
        buf_init(&ret->texts[i], size_max);
        if (!err)
            err = file_read(name.p, &ret->texts[i], fail);
        ret->files[i] = (struct import_file){name, buf_view(&ret->texts[i])};
    }
    cmd->content_invalid = true; /* from here on */
    return err;
}

static void free_operands(struct imported *imported)
{
    for (size_t i = 0; i < imported->count; i++)
        buf_finish(&imported->texts[i]);
    mem_free(imported->texts);
    mem_free(imported->files);
}

enum err cmd_members_import(struct cmd *cmd, struct fail *fail)
{
    SCOPED(free_operands) struct imported imported;
    struct members_report report;
    DB_SCOPED(db);
    TRY(read_operands(cmd, IMPORT_SIZE_MAX, &imported, fail));
    TRY(store_access_open(cmd, STORE_MIGRATE, &db, fail));
    struct progress *progress = progress_start(cmd->out, members_labels);
    const struct progress_hook hook = progress_hook_of(progress);
    enum err err = members_import(db, imported.files, imported.count, &hook, &report, fail);
    if (!err)
        err = ingest_match_filers(db, true, fail);
    progress_stop(progress);
    if (err)
        return err;
    store_access_note(db, LAST_IMPORT);
    if (report.sitting)
        store_access_note(db, LAST_MEMBERS);
    if (!report.sitting || imported.count > 1) /* former members too */
        store_access_done(cmd, db, UPGRADE_MEMBERS);
    store_access_wait_servers(db);
    show_members(cmd->out, &report);
    return OK;
}

static void show_line_refusal(void *ctx, const struct tickers_refusal *refusal)
{
    struct out *out = ctx;
    out_begin(out, OUT_TABLE);
    out_str(out, "file", refusal->file);
    out_i64(out, "line", (int64_t)refusal->line);
    out_str(out, "symbol", refusal->symbol);
    out_str(out, "refused", str_from(refusal->reason));
    out_end(out);
}

static void show_tickers(struct out *out, const struct tickers_report *report)
{
    const struct count_line counts[] = {
        {"lines", (int64_t)report->lines, "line in the files", "lines in the files", OUT_PLAIN},
        {"linesRefused", (int64_t)report->refused, "line refused", "lines refused", OUT_BAD},
        {"symbols", (int64_t)report->symbols, "symbol in them", "different symbols in them",
         OUT_PLAIN},
        {"added", (int64_t)report->added, "symbol added", "symbols added", OUT_GOOD},
        {"changed", (int64_t)report->changed, "symbol changed", "symbols changed", OUT_GOOD},
        {"unchanged", (int64_t)report->unchanged, "symbol unchanged", "symbols unchanged",
         OUT_PLAIN},
    };
    const struct counts_words words = {
        .title = "Symbols",
        .next = report->added || report->changed ? "stockact sweep" : NULL,
        .why = "recompute the conflict signals of public trades",
    };
    counts_print(out, &words, counts, sizeof counts / sizeof *counts);
}

enum err cmd_tickers_import(struct cmd *cmd, struct fail *fail)
{
    SCOPED(free_operands) struct imported imported;
    struct tickers_report report;
    DB_SCOPED(db);
    TRY(read_operands(cmd, TICKERS_FILE_SIZE_MAX, &imported, fail));
    TRY(store_access_open(cmd, STORE_MIGRATE, &db, fail));
    struct progress *progress = progress_start(cmd->out, symbols_labels);
    const struct progress_hook hook = progress_hook_of(progress);
    enum err err = tickers_import(
        db, imported.files, imported.count, show_line_refusal, cmd->out, &hook, &report, fail);
    progress_stop(progress);
    if (err)
        return err;
    store_access_note(db, LAST_IMPORT);
    store_access_note(db, LAST_SYMBOLS);
    store_access_wait_servers(db);
    show_tickers(cmd->out, &report);
    return OK;
}

static void show_oversight(struct out *out, const struct oversight_report *report)
{
    const struct count_line counts[] = {
        {"acts", (int64_t)report->acts, "act", "acts", OUT_GOOD},
        {"committees", (int64_t)report->committees, "committee", "committees", OUT_PLAIN},
        {"companies", (int64_t)report->companies, "company", "companies", OUT_PLAIN},
    };
    const struct counts_words words = {
        .title = "Oversight",
        .unchanged = report->unchanged ? "the database has this file already" : NULL,
        .next = report->unchanged ? NULL : "stockact sweep",
        .why = "recompute the conflict signals of public trades",
    };
    counts_print(out, &words, counts, sizeof counts / sizeof *counts);
}

enum err cmd_oversight_import(struct cmd *cmd, struct fail *fail)
{
    struct str name = cmd->options->operands[0];
    struct oversight_report report;
    DB_SCOPED(db);
    BUF_SCOPED(text, OVERSIGHT_FILE_SIZE_MAX);
    cmd->content_invalid = true; /* from here on */
    TRY(file_read(name.p, &text, fail));
    TRY(store_access_open(cmd, STORE_MIGRATE, &db, fail));
    TRY(oversight_import(
        db, &(struct import_file){name, buf_view(&text)}, instant_day_new_york(clock_wall_ms()),
        &report, fail));
    store_access_note(db, LAST_IMPORT);
    show_oversight(cmd->out, &report);
    return OK;
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
    const struct count_line counts[] = {
        {"filingsRead", (int64_t)report->filings_read, "filing in the file", "filings in the file",
         OUT_PLAIN},
        {"filingsAdded", (int64_t)report->filings_added, "filing published", "filings published",
         OUT_GOOD},
        {"filingsUnchanged", (int64_t)report->filings_unchanged, "filing was already public",
         "filings were already public", OUT_PLAIN},
        {"filingsRefused", (int64_t)report->filings_refused, "filing refused", "filings refused",
         OUT_BAD},
        {"filingsWithoutRows", (int64_t)report->filings_without_rows,
         "paper filing without rows, not published", "paper filings without rows, not published",
         OUT_DOUBTFUL},
        {"papersAdded", (int64_t)report->papers_added,
         "of these is a new draft for a person to complete",
         "of these are new drafts for a person to complete", OUT_DOUBTFUL},
        {"papersWithdrawn", (int64_t)report->papers_withdrawn,
         "of these was published by an earlier version, and is withdrawn",
         "of these were published by an earlier version, and are withdrawn", OUT_DOUBTFUL},
        {"rowsRead", (int64_t)report->rows_read, "row in the file", "rows in the file", OUT_PLAIN},
        {"tradesAdded", (int64_t)report->trades_added, "trade published", "trades published",
         OUT_GOOD},
        {"rowsRefused", (int64_t)report->rows_refused, "row refused", "rows refused", OUT_BAD},
        {"people", (int64_t)report->people, "member with trades", "members with trades", OUT_PLAIN},
        {"filers", (int64_t)report->filers, "member with filings", "members with filings",
         OUT_PLAIN},
    };
    const struct counts_words words = {
        .title = "Senate Stock Watcher",
        .next = report->filings_without_rows ? "stockact review list --state needs_manual"
                                             : "stockact coverage",
        .why =
            report->filings_without_rows ? "list the paper filings" : "count the filings by year",
    };
    counts_print(out, &words, counts, sizeof counts / sizeof *counts);
}

enum err cmd_backfill_stock_watcher(struct cmd *cmd, struct fail *fail)
{
    struct str name = cmd->options->operands[0];
    struct backfill_report report;
    DB_SCOPED(db);
    BUF_SCOPED(text, IMPORT_SIZE_MAX);
    cmd->content_invalid = true; /* from here on */
    enum err err = file_read(name.p, &text, fail);
    if (!err)
        err = store_access_open(cmd, STORE_MIGRATE, &db, fail);
    if (!err) {
        struct progress *progress = progress_start(cmd->out, importing_history);
        const struct progress_hook hook = progress_hook_of(progress);
        err = backfill_senate(
            db, name, buf_view(&text), options_value(cmd->options, "by"), clock_wall_ms(),
            show_refusal, cmd->out, &hook, &report, fail);
        progress_stop(progress);
    }
    if (!err) {
        store_access_note(db, LAST_IMPORT);
        store_access_wait_servers(db);
        show_backfill(cmd->out, &report);
    }
    return err;
}
