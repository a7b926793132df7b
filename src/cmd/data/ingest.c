/* `stockact ingest` imports documents into the ledger. `stockact coverage` counts its entries. */
#include "cmd/data/ingest_parts.h"

#include "base/clock.h"
#include "cmd/data/ingest_page.h"
#include "cmd/operate/store_access.h"
#include "cmd/term/progress.h"
#include "store/public/document.h"

enum err ingest_begin(struct db *db, void *ctx, struct fail *fail)
{
    return ingest_prepare(db, fail);
}

static const struct progress_label importing = {"Importing", "file", "files", "page"};

static int64_t count_files(const struct options *options)
{
    int64_t files = 0;
    for (size_t i = 0; i < options->operand_count; i++)
        files += ingest_count(options->operands[i].p);
    return files;
}

static void add_awaiting(void *ctx, const struct document_count *count)
{
    int64_t *sum = ctx;
    if (count->chamber == CHAMBER_HOUSE && count->state == REPORT_AWAITING_DOCUMENT)
        *sum += count->count;
}

static enum err ingest_all(struct cmd *cmd, struct db *db, struct fail *fail)
{
    const struct options *o = cmd->options;
    struct ingest *in = NULL;
    struct ingest_page page;
    int64_t files = count_files(o);
    ingest_page_init(&page, cmd->out, files, cmd->settings->base_url);
    enum err err = ingest_open(db, "/proc/self/exe", ingest_page_line, &page, &in, fail);
    if (err)
        return err;
    struct progress *progress = progress_start(cmd->out, &importing);
    const struct progress_hook hook = progress_hook_of(progress);
    ingest_tell(in, &hook, files);
    for (size_t i = 0; i < o->operand_count && !err; i++)
        err = ingest_path(in, o->operands[i].p, clock_wall_ms(), fail);
    progress_stop(progress);
    int64_t awaiting = 0;
    struct fail unread;
    if (!err && document_coverage(db, NULL, add_awaiting, &awaiting, &unread))
        awaiting = 0;
    if (!err || page.lines)
        ingest_page_end(&page, awaiting);
    ingest_close(in);
    return err;
}

enum err cmd_ingest(struct cmd *cmd, struct fail *fail)
{
    DB_SCOPED(db);
    TRY(store_access_open(cmd, STORE_WRITE, &db, fail));
    TRY(store_access_write(db, ingest_begin, NULL, fail));
    TRY(ingest_all(cmd, db, fail));
    store_access_note(db, LAST_INGEST);
    return OK;
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
    out_count(out, "count", count->count);
    out_end(out);
}

static void show_reviews(struct out *out, const struct review_counts *counts)
{
    for (int i = FILING_REVIEW_NONE + 1; i < FILING_REVIEW_COUNT; i++) {
        char space[32];
        struct buf seconds = buf_over(space, sizeof space);
        buf_seconds(&seconds, counts->row_ms[i]);
        out_begin(out, OUT_TABLE);
        out_str(out, "review", filing_review_name((enum filing_review)i));
        out_count(out, "filings", counts->of[i]);
        out_count(out, "unrecorded", i == FILING_REVIEW_UNSEEN ? counts->unrecorded : 0);
        if (i <= FILING_REVIEW_UNSEEN && counts->row_ms[i] >= 0)
            out_raw(out, "secondsPerRow", buf_view(&seconds));
        else
            out_str(out, "secondsPerRow", STR_NULL);
        out_end(out);
    }
}

enum err cmd_coverage(struct cmd *cmd, struct fail *fail)
{
    struct review_counts reviews;
    DB_SCOPED(db);
    bool review = options_given(cmd->options, "review");
    enum err err = store_access_open(cmd, STORE_READ, &db, fail);
    if (!err && review)
        err = review_count(db, NULL, &reviews, fail);
    if (!err && review)
        show_reviews(cmd->out, &reviews);
    else if (!err)
        err = document_coverage(db, NULL, show_count, cmd->out, fail);
    return err;
}
