/* `stockact ingest` imports documents into the ledger. `stockact coverage` counts its entries. */
#include "cmd/ingest_parts.h"

#include "base/clock.h"
#include "cmd/store_access.h"
#include "store/document.h"
#include "store/member.h"
#include "store/meta.h"

void ingest_show_line(void *ctx, const struct ingest_line *line)
{
    struct out *out = ctx;
    out_begin(out, OUT_TABLE);
    out_str(out, "document", line->document);
    out_str(out, "status", ingest_status_name(line->status));
    out_str(out, "filingId", line->filing_id);
    out_i64(out, "rows", (int64_t)line->rows);
    out_str(out, "reason", line->reason);
    out_end(out);
}

/* What `ingest` prints, and how often it skipped something. */
struct ingest_report {
    struct out *out;
    int64_t skipped;
};

static void report_line(void *ctx, const struct ingest_line *line)
{
    struct ingest_report *report = ctx;
    report->skipped += line->status == INGEST_SKIPPED;
    ingest_show_line(report->out, line);
}

enum err ingest_begin(struct db *db, void *ctx, struct fail *fail)
{
    int64_t members = 0;
    enum err err = meta_data_claim(db, META_DATA_REAL, fail);
    if (!err)
        err = member_count(db, &members, fail);
    if (!err && !members)
        err = fail_set(
            fail, ERR_REFUSED,
            "the database has no members of Congress, so no report would find its filer: run "
            "`stockact setup` first");
    return err;
}

enum err cmd_ingest(struct cmd *cmd, struct fail *fail)
{
    struct ingest *in = NULL;
    struct db *db = NULL;
    struct ingest_report report = {.out = cmd->out};
    enum err err = store_access_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = store_access_write(db, ingest_begin, NULL, fail);
    if (!err)
        err = ingest_open(db, "/proc/self/exe", report_line, &report, &in, fail);
    for (size_t i = 0; i < cmd->options->operand_count && !err; i++)
        err = ingest_path(in, cmd->options->operands[i].p, clock_wall_ms(), fail);
    if (report.skipped)
        out_line(
            cmd->out, "%lld skipped: links and special files inside a folder are not imported.",
            (long long)report.skipped);
    ingest_close(in);
    db_close(db);
    return err;
}

static void show_count(void *ctx, const struct document_count *count)
{
    struct out *out = ctx;
    out_begin(out, OUT_TABLE);
    out_str(out, "chamber", chamber_name(count->chamber));
    if (count->year)
        out_i64(out, "year", count->year);
    else
        out_str(out, "year", STR_NULL);
    out_str(out, "state", report_state_name(count->state));
    out_i64(out, "count", count->count);
    out_end(out);
}

enum err cmd_coverage(struct cmd *cmd, struct fail *fail)
{
    struct db *db = NULL;
    enum err err = store_access_open(cmd, STORE_READ, &db, fail);
    if (!err)
        err = document_coverage(db, show_count, cmd->out, fail);
    db_close(db);
    return err;
}
