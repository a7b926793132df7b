/* `stockact review enter|differences|decide|agreement`: two people type a paper filing; see
 * review/desk/double_entry.h. */
#include "review/desk/double_entry.h"

#include "cmd/review/review_desk.h"

/* What the draft needs after the action, and the next command. */
static enum err show_entry(struct review *r, struct fail *fail)
{
    struct double_view view;
    TRY(double_entry_show(r->desk.db, r->operands[0], &r->arena, &view, fail));
    const struct draft *d = &view.draft;
    out_begin(r->out, OUT_BLOCK);
    out_str(r->out, "filingId", d->is.filing_id);
    out_str(r->out, "state", report_state_name(d->shown));
    out_str(r->out, "entry", draft_entry_name(d->entry));
    out_i64(r->out, "typed", (int64_t)view.typed);
    out_i64(r->out, "differences", (int64_t)view.difference_count);
    out_str(r->out, "reason", d->is.reason);
    out_end(r->out);
    if (out_is_page(r->out) && d->entry == DRAFT_ENTRY_THIRD)
        out_line(
            r->out, "Next, by a third person: stockact review differences %.*s",
            STR_ARG(d->is.filing_id));
    review_put_publish(r, d);
    return OK;
}

/* --- enter */

static enum err enter_row(struct review *r, struct fail *fail)
{
    const struct options *o = r->cmd->options;
    bool absent = options_given(o, "absent");
    struct blind_row typed;
    enum draft_entry entry;
    int row;
    if (o->operand_count < 2)
        return fail_set(
            fail, ERR_INVALID, "name a ROW with its fields, or count all of them with --rows");
    TRY(review_read_number(r->operands[1], "ROW", 0, &row, fail));
    TRY(review_read_blind(o, 2, &r->arena, &typed, fail));
    if (absent != blind_is_empty(&typed))
        return fail_set(
            fail, ERR_INVALID,
            "type the fields of the row, or say --absent if the page has no such row");
    return double_entry_type(&r->desk, r->operands[0], row, absent ? NULL : &typed, &entry, fail);
}

static enum err count_rows(struct review *r, struct str count, struct fail *fail)
{
    enum draft_entry entry;
    int rows;
    TRY(review_read_number(count, "--rows", 0, &rows, fail));
    return double_entry_count(&r->desk, r->operands[0], rows, &entry, fail);
}

/* `review enter ID ROW FIELD=VALUE...`, `review enter ID ROW --absent`, `review enter ID --rows N`.
 */
enum err cmd_review_enter(struct review *r, struct fail *fail)
{
    struct str count = options_value(r->cmd->options, "rows");
    TRY(str_is_null(count) ? enter_row(r, fail) : count_rows(r, count, fail));
    return show_entry(r, fail);
}

/* --- differences */

/* In the order of the texts, so that their places do not say who typed which. */
static void put_difference(struct out *out, const struct double_difference *d)
{
    bool swap = str_cmp(d->draft, d->entered) > 0;
    out_begin(out, OUT_TABLE);
    out_i64(out, "row", d->row);
    out_str(out, "field", d->field);
    out_str(out, "one", swap ? d->entered : d->draft);
    out_str(out, "other", swap ? d->draft : d->entered);
    out_end(out);
}

enum err cmd_review_differences(struct store_read *read, struct fail *fail)
{
    struct double_view view;
    TRY(double_entry_show(read->db, read->cmd->options->operands[0], &read->arena, &view, fail));
    for (size_t i = 0; i < view.difference_count; i++)
        put_difference(read->out, &view.differences[i]);
    out_if_empty(read->out, "No difference waits for a decision.");
    return OK;
}

enum err cmd_review_decide(struct review *r, struct fail *fail)
{
    enum draft_entry entry;
    int row;
    TRY(review_read_number(r->operands[1], "ROW", 0, &row, fail));
    TRY(double_entry_decide(
        &r->desk, r->operands[0], row, r->operands[2], r->operands[3], &entry, fail));
    return show_entry(r, fail);
}

/* --- agreement */

enum err cmd_review_agreement(struct store_read *read, struct fail *fail)
{
    struct double_agreement agreement;
    TRY(double_entry_agreement(read->db, &agreement, fail));
    for (size_t i = 0; i < DOUBLE_FIELD_COUNT; i++) {
        const int64_t *of = agreement.of[i];
        out_begin(read->out, OUT_TABLE);
        out_str(read->out, "field", double_entry_field_name(i));
        out_count(read->out, "agreed", of[ENTRY_AGREED]);
        out_count(read->out, "differed", double_entry_differed(of));
        out_count(read->out, "asFirst", of[ENTRY_FIRST]);
        out_count(read->out, "asSecond", of[ENTRY_SECOND]);
        out_count(read->out, "asNeither", of[ENTRY_NEITHER]);
        out_count(read->out, "open", of[ENTRY_DIFFERS]);
        out_end(read->out);
    }
    return OK;
}
