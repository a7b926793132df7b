/* `stockact publish` publishes accepted drafts. `stockact correct` changes a published trade. */

#include "base/clock.h"
#include "base/hidden.h"
#include "base/str_list.h"
#include "cmd/review/review_desk.h"
#include "cmd/term/layout.h"
#include "cmd/term/out.h"
#include "cmd/term/progress.h"
#include "review/correct.h"
#include "review/publish_draft.h"
#include "review/published_words.h"
#include "store/desk/draft.h"

/* The lines of `publish`. */

enum { TEXT_MAX = 1 << 16, MARGIN = 2, GAP = 2, ROOM_MIN = 24 };

/* "✓ house-20250001  3 trades added, 1 row held back", or "✗ house-20250001  REASON". */
static void publish_page_line(
    struct out *out, struct str what, const struct publish_draft_result *result, struct str reason)
{
    const struct terminal *t = &out->terminal;
    bool failed = !str_is_null(reason);
    struct str mark = str_from(terminal_glyph(t, failed ? GLYPH_CROSS : GLYPH_TICK));
    BUF_SCOPED(words, TEXT_MAX);
    BUF_SCOPED(text, TEXT_MAX);
    ARENA_SCOPED(arena);
    layout_spaces(&text, MARGIN);
    terminal_paint(t, &text, failed ? PAINT_BAD : PAINT_GOOD, mark);
    buf_char(&text, ' ');
    hidden_show(&text, what);
    if (failed)
        hidden_show(&words, reason);
    else
        buf_str(&words, published_words(result, &arena));
    size_t margin = MARGIN + layout_columns(mark) + 1, columns = (size_t)t->columns;
    size_t at = margin + layout_columns(what), indent = at + GAP;
    if (indent + ROOM_MIN > columns && at + GAP + layout_columns(buf_view(&words)) > columns)
        indent = margin + GAP; /* below the id */
    layout_wrap(&text, buf_view(&words), at, indent, columns);
    out_page(out, &text);
}

static void show_published(
    struct out *out, struct str id, const struct publish_draft_result *r, struct str reason)
{
    if (out_is_page(out)) {
        publish_page_line(out, str_is_null(id) ? STR("bulk history") : id, r, reason);
        return;
    }
    out_begin(out, OUT_TABLE);
    out_str(out, "filingId", id);
    out_i64(out, "added", (int64_t)r->added);
    out_i64(out, "corrected", (int64_t)r->corrected);
    out_i64(out, "withdrawn", (int64_t)r->withdrawn);
    out_i64(out, "linked", (int64_t)r->linked);
    out_i64(out, "held", (int64_t)r->held);
    out_instant(out, "disclosedAt", r->disclosed_at);
    out_i64(out, "overtaken", (int64_t)r->overtaken);
    out_i64(out, "deliveries", (int64_t)r->deliveries);
    out_str(out, "reason", reason);
    out_end(out);
}

/* The filings to publish. Bulk history is published as a whole and changes no public trade, so
 * --all-accepted --backfill leaves amendments for a call without --backfill. */
struct publish_choice {
    struct str_list *ids;
    bool backfill;
    size_t amendments_left;
};

static enum err note_draft(void *ctx, const struct draft *draft)
{
    struct publish_choice *choice = ctx;
    if (choice->backfill && !str_is_null(draft->is.amends))
        choice->amendments_left++;
    else
        str_list_add(choice->ids, draft->is.filing_id);
    return OK;
}

/* The operands, or all accepted drafts ordered by filing date. */
static enum err choose(struct review *r, struct str_list *ids, struct fail *fail)
{
    const struct options *o = r->cmd->options;
    struct publish_choice choice = {.ids = ids, .backfill = options_given(o, "backfill")};
    bool all = options_given(o, "all-accepted");
    if (all == (o->operand_count > 0))
        return fail_set(fail, ERR_INVALID, "give either draft ids or --all-accepted");
    for (size_t i = 0; i < o->operand_count; i++)
        str_list_add(ids, o->operands[i]);
    if (all)
        TRY(draft_each(r->desk.db, REPORT_ACCEPTED, note_draft, &choice, fail));
    if (choice.amendments_left)
        out_line(
            r->out,
            "%zu accepted %s left. Publish without --backfill: stockact publish --all-accepted "
            "--by EMAIL",
            choice.amendments_left,
            choice.amendments_left == 1 ? "amendment is" : "amendments are");
    return OK;
}

static const struct progress_label publishing = {"Publishing", "filing", "filings"};

/* Publishes each filing in its own transaction. If one fails, its row shows the reason and the
 * others are still published. */
static enum err publish_each(struct review *r, const struct str_list *ids, struct fail *fail)
{
    size_t failed = 0;
    struct progress *progress = progress_start(r->out, &publishing);
    for (size_t i = 0; i < ids->count; i++) {
        struct publish_draft_result result = {.disclosed_at = INSTANT_NONE};
        enum err err =
            publish_draft(r->desk.db, ids->items[i], r->desk.by, clock_wall_ms(), &result, fail);
        if (err && (!publish_draft_refused(err) || ids->count == 1)) {
            progress_stop(progress);
            return err;
        }
        show_published(r->out, ids->items[i], &result, err ? str_from(fail->text) : STR_NULL);
        failed += err != OK;
        progress_note(progress, (int64_t)i + 1, (int64_t)ids->count);
    }
    progress_stop(progress);
    return failed == 0
               ? OK
               : fail_set(
                     fail, ERR_REFUSED, "%zu of %zu filings were not published: see their reasons",
                     failed, ids->count);
}

static enum err publish_bulk(struct review *r, const struct str_list *ids, struct fail *fail)
{
    struct publish_draft_result result;
    TRY(publish_drafts_bulk(
        r->desk.db, ids->items, ids->count, r->desk.by, clock_wall_ms(), &result, fail));
    show_published(r->out, STR_NULL, &result, STR_NULL);
    return OK;
}

enum err cmd_publish(struct review *r, struct fail *fail)
{
    STR_LIST_SCOPED(ids);
    TRY(review_overrule_clock(r, fail));
    TRY(choose(r, &ids, fail));
    if (!ids.count)
        return OK;
    bool bulk = options_given(r->cmd->options, "backfill");
    enum err err = bulk ? publish_bulk(r, &ids, fail) : publish_each(r, &ids, fail);
    store_access_wait_servers(r->desk.db);
    return err;
}

enum err cmd_correct(struct review *r, struct fail *fail)
{
    const struct str *operands = r->operands;
    struct correct_result result;
    TRY(review_overrule_clock(r, fail));
    TRY(correct(
        r->desk.db, operands[0], operands[1], operands[2], r->desk.by, r->reason, r->desk.now_ms,
        &result, fail));
    store_access_wait_servers(r->desk.db);
    out_begin(r->out, OUT_BLOCK);
    out_str(r->out, "id", operands[0]);
    out_str(r->out, "field", operands[1]);
    out_str(r->out, "value", operands[2].n ? operands[2] : STR_NULL);
    out_end(r->out);
    return OK;
}
