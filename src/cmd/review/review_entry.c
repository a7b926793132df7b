/* `stockact review enter|differences|decide|agreement`: two people type a paper filing; see
 * review/desk/double_entry.h. */
#include "review/desk/double_entry.h"

#include "cmd/review/review_desk.h"
#include "config/values.h"
#include "review/desk/double_agreement.h"

/* What the draft needs now, if the action succeeded, and the next command. Closes the database. */
static enum err close_desk(struct cmd *cmd, struct desk *desk, enum err err, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct double_view view;
    if (!err)
        err = double_entry_show(desk->db, cmd->options->operands[0], &arena, &view, fail);
    if (!err) {
        const struct draft *d = &view.draft;
        struct str id = d->is.filing_id;
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "filingId", id);
        out_str(cmd->out, "state", report_state_name(d->shown));
        out_str(cmd->out, "entry", draft_entry_name(d->entry));
        out_i64(cmd->out, "typed", (int64_t)view.typed);
        out_i64(cmd->out, "differences", (int64_t)view.difference_count);
        out_str(cmd->out, "reason", d->is.reason);
        out_end(cmd->out);
        bool page = out_is_page(cmd->out);
        if (page && d->entry == DRAFT_ENTRY_THIRD)
            out_line(
                cmd->out, "Next, by a third person: stockact review differences %.*s", STR_ARG(id));
        if (page && d->shown == REPORT_ACCEPTED)
            out_line(
                cmd->out, "Next: stockact publish %.*s --by %.*s", STR_ARG(id), STR_ARG(desk->by));
    }
    db_close(desk->db);
    return err;
}

static enum err read_number(struct str text, const char *name, int *ret, struct fail *fail)
{
    int64_t number;
    if (!value_i64_between(text, 0, 9999, &number))
        return fail_set(
            fail, ERR_INVALID, "invalid %s \"%.*s\": expected a number from 0 to 9999", name,
            STR_ARG(text));
    *ret = (int)number;
    return OK;
}

/* --- enter */

static enum err enter_row(
    struct cmd *cmd, struct arena *arena, struct desk *desk, struct fail *fail)
{
    const struct options *o = cmd->options;
    bool absent = options_given(o, "absent");
    struct blind_row typed;
    enum draft_entry entry;
    int row = 0;
    if (o->operand_count < 2)
        return fail_set(
            fail, ERR_INVALID, "name a ROW with its fields, or count all of them with --rows");
    TRY(read_number(o->operands[1], "ROW", &row, fail));
    TRY(review_read_blind(o, 2, arena, &typed, fail));
    if (absent != blind_is_empty(&typed))
        return fail_set(
            fail, ERR_INVALID,
            "type the fields of the row, or say --absent if the page has no such row");
    TRY(review_desk_open(cmd, desk, fail));
    return double_entry_type(desk, o->operands[0], row, absent ? NULL : &typed, &entry, fail);
}

/* `review enter ID ROW FIELD=VALUE...`, `review enter ID ROW --absent`, `review enter ID --rows N`.
 */
enum err cmd_review_enter(struct cmd *cmd, struct fail *fail)
{
    struct desk desk = {.db = NULL};
    struct str count = options_value(cmd->options, "rows");
    enum draft_entry entry;
    ARENA_SCOPED(arena);
    int rows = 0;
    enum err err = OK;
    if (str_is_null(count)) {
        err = enter_row(cmd, &arena, &desk, fail);
    } else {
        err = read_number(count, "--rows", &rows, fail);
        if (!err)
            err = review_desk_open(cmd, &desk, fail);
        if (!err)
            err = double_entry_count(&desk, cmd->options->operands[0], rows, &entry, fail);
    }
    return close_desk(cmd, &desk, err, fail);
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
    enum err err =
        double_entry_show(read->db, read->cmd->options->operands[0], &read->arena, &view, fail);
    for (size_t i = 0; !err && i < view.difference_count; i++)
        put_difference(read->out, &view.differences[i]);
    if (!err)
        out_if_empty(read->out, "No difference waits for a decision.");
    return err;
}

enum err cmd_review_decide(struct cmd *cmd, struct fail *fail)
{
    const struct str *operands = cmd->options->operands;
    struct desk desk = {.db = NULL};
    enum draft_entry entry;
    int row = 0;
    enum err err = read_number(operands[1], "ROW", &row, fail);
    if (!err)
        err = review_desk_open(cmd, &desk, fail);
    if (!err)
        err = double_entry_decide(&desk, operands[0], row, operands[2], operands[3], &entry, fail);
    return close_desk(cmd, &desk, err, fail);
}

/* --- agreement */

enum err cmd_review_agreement(struct store_read *read, struct fail *fail)
{
    struct double_agreement agreement;
    enum err err = double_entry_agreement(read->db, &agreement, fail);
    for (size_t i = 0; !err && i < DOUBLE_FIELD_COUNT; i++) {
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
    return err;
}
