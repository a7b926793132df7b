/* `stockact review scan` reads scans of the ledger into their drafts. Each is one transaction, so
 * that an interrupted run is continued by the same command. */
#include "ingest/scan_again.h"

#include "base/clock.h"
#include "base/str_list.h"
#include "cmd/review/review_desk.h"
#include "cmd/term/progress.h"
#include "store/desk/draft.h"
#include "store/public/document.h"

struct review_scan {
    struct review *r;
    struct ingest *in;
    struct str_list ids;
    size_t skipped; /* of --all-waiting: no scans after all */
};

static const struct progress_label reading = {"Reading", "scan", "scans", "page"};

static void ignore_line(void *ctx, const struct ingest_line *line)
{
}

/* --- which ones */

static enum err note_draft(void *ctx, const struct draft *draft)
{
    bool waits = draft->state == DRAFT_WAITING || draft->state == DRAFT_IN_REVIEW;
    if (waits && draft->is.manual && draft->is.document_version)
        str_list_add(ctx, draft->is.filing_id);
    return OK;
}

static enum err choose(struct review_scan *s, struct fail *fail)
{
    const struct options *o = s->r->cmd->options;
    bool all = options_given(o, "all-waiting");
    if (all == (o->operand_count > 0))
        return fail_set(fail, ERR_INVALID, "name scans, or give --all-waiting");
    for (size_t i = 0; i < o->operand_count; i++)
        str_list_add(&s->ids, o->operands[i]);
    return all ? draft_each(s->r->desk.db, REPORT_NONE, note_draft, &s->ids, fail) : OK;
}

static enum err was_read(
    struct review_scan *s, struct str id, struct arena *arena, bool *ret, struct fail *fail)
{
    struct draft draft;
    struct document_page_list pages = {.count = 0};
    TRY(draft_find(s->r->desk.db, id, arena, &draft, fail));
    if (draft.is.document_version)
        TRY(document_page_load(s->r->desk.db, draft.is.document_version, arena, &pages, fail));
    *ret = pages.count > 0;
    return OK;
}

/* --- one after the other */

static void show(struct out *out, struct str id, const struct scan_again *result)
{
    out_begin(out, OUT_TABLE);
    out_str(out, "filingId", id);
    out_i64(out, "pages", (int64_t)result->pages);
    out_i64(out, "unread", (int64_t)result->unread);
    out_i64(out, "rows", (int64_t)result->rows);
    out_str(out, "does", result->taken ? STR("replaced") : STR("kept"));
    out_str(
        out, "reason",
        result->taken ? STR_NULL : STR("a person has worked on the draft: its rows stay"));
    out_end(out);
}

static enum err scan_one(
    struct review_scan *s, struct str id, bool all, struct arena *arena, struct fail *fail)
{
    struct scan_again result;
    bool read = false;
    enum err err = OK;
    if (all && !options_given(s->r->cmd->options, "again"))
        err = was_read(s, id, arena, &read, fail);
    if (err || read)
        return err;
    err = scan_again(s->in, id, clock_wall_ms(), arena, &result, fail);
    if (!err)
        show(s->r->cmd->out, id, &result);
    else if (all && (err == ERR_REFUSED || err == ERR_NOT_FOUND)) {
        s->skipped++;
        err = OK;
    }
    return err;
}

static enum err scan_all(struct review_scan *s, struct fail *fail)
{
    ARENA_SCOPED(arena);
    enum err err = OK;
    bool all = !s->r->cmd->options->operand_count;
    struct progress *progress = progress_start(s->r->cmd->out, &reading);
    const struct progress_hook hook = progress_hook_of(progress);
    ingest_tell(s->in, &hook, (int64_t)s->ids.count);
    for (size_t i = 0; i < s->ids.count && !err; i++) {
        err = scan_one(s, s->ids.items[i], all, &arena, fail);
        progress_tell(&hook, (int64_t)i + 1, (int64_t)s->ids.count);
        arena_reset(&arena);
    }
    progress_stop(progress);
    return err;
}

enum err cmd_review_scan(struct review *r, struct fail *fail)
{
    struct review_scan s = {.r = r};
    str_list_init(&s.ids);
    enum err err = choose(&s, fail);
    if (!err)
        err = ingest_open(r->desk.db, "/proc/self/exe", ignore_line, NULL, &s.in, fail);
    if (!err)
        err = scan_all(&s, fail);
    if (!err && options_given(r->cmd->options, "all-waiting"))
        store_access_done(r->cmd, r->desk.db, UPGRADE_SCANS);
    if (!err && s.skipped)
        out_line(
            r->out, "%zu waiting %s not a scan, or without a stored file", s.skipped,
            s.skipped == 1 ? "draft is" : "drafts are");
    ingest_close(s.in);
    str_list_finish(&s.ids);
    return err;
}
