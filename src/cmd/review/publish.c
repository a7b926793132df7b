/* `stockact publish` publishes accepted drafts. `stockact correct` changes a published trade. */

#include "base/clock.h"
#include "base/hidden.h"
#include "base/str_list.h"
#include "cmd/operate/store_access.h"
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
static enum err choose(struct cmd *cmd, struct db *db, struct str_list *ids, struct fail *fail)
{
    const struct options *o = cmd->options;
    struct publish_choice choice = {.ids = ids, .backfill = options_given(o, "backfill")};
    bool all = options_given(o, "all-accepted");
    if (all == (o->operand_count > 0))
        return fail_set(fail, ERR_INVALID, "give either draft ids or --all-accepted");
    for (size_t i = 0; i < o->operand_count; i++)
        str_list_add(ids, o->operands[i]);
    enum err err = all ? draft_each(db, REPORT_ACCEPTED, note_draft, &choice, fail) : OK;
    if (!err && choice.amendments_left)
        out_line(
            cmd->out,
            "%zu accepted %s left. Publish without --backfill: stockact publish "
            "--all-accepted --by EMAIL",
            choice.amendments_left,
            choice.amendments_left == 1 ? "amendment is" : "amendments are");
    return err;
}

/* True if the error concerns one draft, false if the database failed. */
static bool is_draft_error(enum err err)
{
    return err == ERR_REFUSED || err == ERR_NOT_FOUND || err == ERR_EXISTS || err == ERR_INVALID ||
           err == ERR_LIMIT;
}

static const struct progress_label publishing = {"Publishing", "filing", "filings"};

/* Publishes each filing in its own transaction. If one fails, its row shows the reason and the
 * others are still published. */
static enum err publish_each(
    struct cmd *cmd, struct db *db, const struct str_list *ids, struct fail *fail)
{
    struct str by = options_value(cmd->options, "by");
    size_t failed = 0;
    struct progress *progress = progress_start(cmd->out, &publishing);
    for (size_t i = 0; i < ids->count; i++) {
        struct publish_draft_result result = {.disclosed_at = INSTANT_NONE};
        enum err err = publish_draft(db, ids->items[i], by, clock_wall_ms(), &result, fail);
        if (err && (!is_draft_error(err) || ids->count == 1)) {
            progress_stop(progress);
            return err;
        }
        show_published(cmd->out, ids->items[i], &result, err ? str_from(fail->text) : STR_NULL);
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

static enum err publish_bulk(
    struct cmd *cmd, struct db *db, const struct str_list *ids, struct fail *fail)
{
    struct publish_draft_result result;
    TRY(publish_drafts_bulk(
        db, ids->items, ids->count, options_value(cmd->options, "by"), clock_wall_ms(), &result,
        fail));
    show_published(cmd->out, STR_NULL, &result, STR_NULL);
    return OK;
}

enum err cmd_publish(struct cmd *cmd, struct fail *fail)
{
    struct str_list ids;
    DB_SCOPED(db);
    str_list_init(&ids);
    enum err err = store_access_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = store_access_overrule_clock(cmd, db, fail);
    if (!err)
        err = choose(cmd, db, &ids, fail);
    if (!err && ids.count) {
        err = options_given(cmd->options, "backfill") ? publish_bulk(cmd, db, &ids, fail)
                                                      : publish_each(cmd, db, &ids, fail);
        store_access_wait_servers(db);
    }
    str_list_finish(&ids);
    return err;
}

enum err cmd_correct(struct cmd *cmd, struct fail *fail)
{
    const struct str *operands = cmd->options->operands;
    struct correct_result result;
    DB_SCOPED(db);
    enum err err = store_access_open(cmd, STORE_WRITE, &db, fail);
    if (!err)
        err = store_access_overrule_clock(cmd, db, fail);
    if (!err)
        err = correct(
            db, operands[0], operands[1], operands[2], options_value(cmd->options, "by"),
            options_value(cmd->options, "reason"), clock_wall_ms(), &result, fail);
    if (!err) {
        store_access_wait_servers(db);
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "id", operands[0]);
        out_str(cmd->out, "field", operands[1]);
        out_str(cmd->out, "value", operands[2].n ? operands[2] : STR_NULL);
        out_end(cmd->out);
    }
    return err;
}
