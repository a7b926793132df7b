/* `stockact review scan` reads scans of the ledger into their drafts. Each is one transaction, so
 * that an interrupted run is continued by the same command. */
#include "base/clock.h"
#include "base/str_list.h"
#include "cmd/review/review_desk.h"
#include "cmd/term/progress.h"
#include "config/file.h"
#include "config/values.h"
#include "ingest/scan_again.h"
#include "paper/picture.h"
#include "rule/draft.h"
#include "store/desk/draft.h"
#include "store/desk/draft_look.h"
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

/* `stockact review picture` writes a page of a draft's document, or the strip of a row, as a
 * picture. A page that is written counts as shown (review/desk/desk_act.c). */

/* What the operands and --row ask for: one of the two is 0. */
struct review_picture {
    struct str filing_id;
    int page, row;
};

static enum err render(
    struct db *db, struct review_picture *what, struct buf *ret, struct fail *fail)
{
    struct extractor *extractor = NULL;
    enum err err = extractor_create("/proc/self/exe", &extractor, fail);
    if (!err && what->row)
        err = picture_render_row(db, extractor, what->filing_id, what->row, &what->page, ret, fail);
    else if (!err)
        err = picture_render(db, extractor, what->filing_id, what->page, ret, fail);
    extractor_destroy(extractor);
    return err;
}

static enum err note_page(struct db *db, const struct review_picture *what, struct fail *fail)
{
    const struct draft_look_event event = {
        .by = STR(""), .page = what->page, .at = clock_wall_ms()};
    bool own;
    TRY(db_join(db, &own, fail));
    return db_leave(db, own, draft_look_add(db, what->filing_id, &event, fail), fail);
}

static enum err choose_picture(
    const struct options *o, struct review_picture *ret, struct fail *fail)
{
    struct str row = options_value(o, "row");
    int64_t number = 0;
    *ret = (struct review_picture){.filing_id = o->operands[0]};
    if (o->operand_count > 2 || (o->operand_count == 1) == str_is_null(row))
        return fail_set(fail, ERR_INVALID, "name the filing and either a page or --row");
    if (!str_is_null(row)) {
        if (!value_i64_between(row, 1, DRAFT_ROW_MAX, &number))
            return fail_set(
                fail, ERR_INVALID, "invalid --row \"%.*s\": expected a number from 1 to %d",
                STR_ARG(row), DRAFT_ROW_MAX);
        ret->row = (int)number;
        return OK;
    }
    if (!value_i64_between(o->operands[1], 1, EXTRACT_PAGE_MAX, &number))
        return fail_set(
            fail, ERR_INVALID, "invalid PAGE \"%.*s\": expected a number from 1 to %d",
            STR_ARG(o->operands[1]), EXTRACT_PAGE_MAX);
    ret->page = (int)number;
    return OK;
}

enum err cmd_review_picture(struct review *r, struct fail *fail)
{
    struct str output = options_value(r->cmd->options, "output");
    struct review_picture what;
    BUF_SCOPED(picture, EXTRACT_PICTURE_SIZE_MAX);
    TRY(choose_picture(r->cmd->options, &what, fail));
    TRY(render(r->desk.db, &what, &picture, fail));
    TRY(file_write(output.p, buf_view(&picture), fail));
    if (!what.row)
        TRY(note_page(r->desk.db, &what, fail));
    out_begin(r->out, OUT_BLOCK);
    out_str(r->out, "filingId", what.filing_id);
    out_i64(r->out, "page", what.page);
    if (what.row)
        out_i64(r->out, "row", what.row);
    out_str(r->out, "file", output);
    out_i64(r->out, "bytes", (int64_t)picture.n);
    out_end(r->out);
    return OK;
}
