/* `stockact review ...`: reviews drafts on the command line; see review/desk/desk.h. */
#include "review/desk/desk.h"
#include "review/desk/suggested_symbol.h"

#include "cmd/operate/store_access.h"
#include "cmd/review/review_batch.h"
#include "cmd/review/review_desk.h"
#include "cmd/review/review_list.h"
#include "cmd/review/review_obstacle.h"
#include "cmd/review/review_show.h"
#include "cmd/term/member_hint.h"
#include "config/values.h"
#include "paper/paper_id.h"
#include "people/filer.h"
#include "store/public/member.h"

/* If the action succeeded, prints the draft's new state. Closes the database. */
static enum err close_desk(struct cmd *cmd, struct desk *desk, enum err err, struct fail *fail)
{
    ARENA_SCOPED(arena);
    struct draft draft;
    if (!err)
        err = draft_find(desk->db, cmd->options->operands[0], &arena, &draft, fail);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "filingId", draft.is.filing_id);
        out_str(cmd->out, "state", report_state_name(draft.shown));
        out_str(cmd->out, "claimedBy", draft.claimed_by);
        out_instant(cmd->out, "claimedUntil", draft.claimed_until);
        out_end(cmd->out);
        if (draft.shown == REPORT_ACCEPTED && out_is_page(cmd->out))
            out_line(
                cmd->out, "Next: stockact publish %.*s --by %.*s", STR_ARG(draft.is.filing_id),
                STR_ARG(desk->by));
    }
    db_close(desk->db);
    return err;
}

/* Parses the operand ROW: 1 to 9999, or 0 for the filing if `zero` is set. */
static enum err read_row_number(struct str text, bool zero, int *ret, struct fail *fail)
{
    int64_t number;
    if (!value_i64_between(text, zero ? 0 : 1, 9999, &number))
        return fail_set(
            fail, ERR_INVALID, "invalid ROW \"%.*s\": expected a number from %d to 9999",
            STR_ARG(text), zero ? 0 : 1);
    *ret = (int)number;
    return OK;
}

enum err cmd_review_claim(struct cmd *cmd, struct fail *fail)
{
    struct desk desk;
    enum err err = review_desk_open(cmd, &desk, fail);
    if (!err)
        err = desk_claim(&desk, cmd->options->operands[0], fail);
    return close_desk(cmd, &desk, err, fail);
}

enum err cmd_review_accept(struct cmd *cmd, struct fail *fail)
{
    struct desk desk;
    enum draft_state state;
    if (options_given(cmd->options, "clean"))
        return review_batch_start(cmd, fail);
    if (options_given(cmd->options, "batch"))
        return review_batch_accept(cmd, fail);
    if (cmd->options->operand_count != 1)
        return fail_set(
            fail, ERR_INVALID, "name one filing, or accept clean drafts with --clean --sample N");
    enum err err = review_desk_open(cmd, &desk, fail);
    if (!err)
        err = desk_accept(
            &desk, cmd->options->operands[0], options_value(cmd->options, "despite"),
            options_value(cmd->options, "reason"), &state, fail);
    err = review_obstacle_explain(desk.db, cmd->options->operands[0], desk.by, err, fail);
    return close_desk(cmd, &desk, err, fail);
}

enum err cmd_review_reject(struct cmd *cmd, struct fail *fail)
{
    struct desk desk;
    enum err err = review_desk_open(cmd, &desk, fail);
    if (!err)
        err = desk_reject(
            &desk, cmd->options->operands[0], options_value(cmd->options, "reason"), fail);
    return close_desk(cmd, &desk, err, fail);
}

enum err cmd_review_nothing_reported(struct cmd *cmd, struct fail *fail)
{
    struct desk desk;
    enum err err = review_desk_open(cmd, &desk, fail);
    if (!err)
        err = desk_report_nothing(&desk, cmd->options->operands[0], fail);
    return close_desk(cmd, &desk, err, fail);
}

enum err cmd_review_take_symbols(struct cmd *cmd, struct fail *fail)
{
    struct desk desk;
    struct suggested_taken symbols;
    struct str id = cmd->options->operands[0];
    enum err err = review_desk_open(cmd, &desk, fail);
    if (!err)
        err = suggested_symbols_take(&desk, id, &symbols, fail);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "filingId", id);
        out_i64(cmd->out, "taken", (int64_t)symbols.taken);
        out_i64(cmd->out, "left", (int64_t)symbols.left);
        out_end(cmd->out);
    }
    db_close(desk.db);
    return err;
}

enum err cmd_review_set(struct cmd *cmd, struct fail *fail)
{
    const struct str *operands = cmd->options->operands;
    struct desk desk = {.db = NULL};
    int row = 0;
    enum err err = read_row_number(operands[1], true, &row, fail);
    if (!err)
        err = review_desk_open(cmd, &desk, fail);
    if (!err)
        err = desk_set(
            &desk, operands[0], row, operands[2], operands[3],
            options_value(cmd->options, "reason"), fail);
    return close_desk(cmd, &desk, err, fail);
}

enum err cmd_review_delete_row(struct cmd *cmd, struct fail *fail)
{
    const struct str *operands = cmd->options->operands;
    struct desk desk = {.db = NULL};
    int row = 0;
    enum err err = read_row_number(operands[1], false, &row, fail);
    if (!err)
        err = review_desk_open(cmd, &desk, fail);
    if (!err)
        err = desk_delete_row(&desk, operands[0], row, options_value(cmd->options, "reason"), fail);
    return close_desk(cmd, &desk, err, fail);
}

/* `add-row ID [FIELD=VALUE...]`: adds the row, then sets its fields one by one. */
enum err cmd_review_add_row(struct cmd *cmd, struct fail *fail)
{
    const struct options *o = cmd->options;
    struct str page_text = options_value(o, "page"), reason = options_value(o, "reason");
    int64_t page = 0;
    struct desk desk;
    int row = 0;
    if (!str_is_null(page_text) && !value_i64_between(page_text, 1, 9999, &page))
        return fail_set(fail, ERR_INVALID, "--page is a number from 1 to 9999");
    enum err err = review_desk_open(cmd, &desk, fail);
    if (!err)
        err = desk_add_row(&desk, o->operands[0], (int)page, &row, fail);
    for (size_t i = 1; i < o->operand_count && !err; i++) {
        struct str value = o->operands[i], field;
        str_split(&value, '=', &field);
        err = str_is_null(value)
                  ? fail_set(
                        fail, ERR_INVALID, "invalid field \"%.*s\": expected FIELD=VALUE",
                        STR_ARG(field))
                  : desk_set(&desk, o->operands[0], row, field, value, reason, fail);
    }
    return close_desk(cmd, &desk, err, fail);
}

/* The filer's printed name, folded: the alias under which set-filer stores the member. */
static enum err folded_filer(
    struct desk *desk, struct str filing_id, struct arena *arena, struct str *ret,
    struct fail *fail)
{
    struct draft draft;
    enum err err = draft_find(desk->db, filing_id, arena, &draft, fail);
    if (err || str_is_null(draft.is.filer))
        return err == ERR_NOT_FOUND ? OK : err; /* bulk history has no draft */
    *ret = filer_folded(draft.is.filer, arena);
    return OK;
}

/* Adds the members who may have been meant to the error that the named one does not exist. */
static enum err explain_filer(struct db *db, struct str filer, enum err err, struct fail *fail)
{
    struct member member;
    ARENA_SCOPED(arena);
    if (err != ERR_NOT_FOUND || !db)
        return err;
    if (member_find(db, filer, &arena, &member, NULL) == ERR_NOT_FOUND)
        err = member_hint(db, filer, fail);
    return err;
}

/* A public filing was given to another member. */
static enum err show_reassigned(
    struct cmd *cmd, struct desk *desk, const struct desk_filer *filer, struct fail *fail)
{
    struct member member;
    ARENA_SCOPED(arena);
    enum err err = member_find(desk->db, cmd->options->operands[1], &arena, &member, fail);
    if (err)
        member.slug = cmd->options->operands[1];
    store_access_wait_servers(desk->db);
    out_begin(cmd->out, OUT_BLOCK);
    out_str(cmd->out, "filingId", cmd->options->operands[0]);
    out_str(cmd->out, "member", member.slug);
    out_i64(cmd->out, "trades", (int64_t)filer->trades);
    out_end(cmd->out);
    db_close(desk->db);
    return err;
}

enum err cmd_review_set_filer(struct cmd *cmd, struct fail *fail)
{
    const struct str *operands = cmd->options->operands;
    struct str alias = STR_NULL;
    struct desk_filer filer = {.is_public = false};
    ARENA_SCOPED(arena);
    struct desk desk;
    enum err err = review_desk_open(cmd, &desk, fail);
    if (!err)
        err = folded_filer(&desk, operands[0], &arena, &alias, fail);
    if (!err)
        err = desk_set_filer(
            &desk, operands[0], operands[1], alias, options_value(cmd->options, "reason"), &filer,
            fail);
    err = explain_filer(desk.db, operands[1], err, fail);
    if (err || !filer.is_public)
        return close_desk(cmd, &desk, err, fail);
    return show_reassigned(cmd, &desk, &filer, fail);
}

/* --- new drafts */

static enum err read_new(
    struct cmd *cmd, struct arena *arena, struct draft_new *ret, struct fail *fail)
{
    const struct str *operands = cmd->options->operands;
    struct str filed = options_value(cmd->options, "filed");
    enum chamber chamber = chamber_from_name(operands[0]);
    struct str id = chamber == CHAMBER_HOUSE ? paper_id_house(operands[1])
                                             : paper_id_senate(operands[1], arena);
    int32_t day;
    if (chamber == CHAMBER_NONE)
        return fail_set(
            fail, ERR_INVALID, "invalid chamber \"%.*s\": expected house or senate",
            STR_ARG(operands[0]));
    if (str_is_null(id) || id.n != operands[1].n)
        return fail_set(
            fail, ERR_INVALID, "\"%.*s\" is not the id of a %s document", STR_ARG(operands[1]),
            chamber == CHAMBER_HOUSE ? "House" : "Senate");
    bool dated = !str_is_null(filed) && day_parse(filed, &day);
    *ret = desk_paper(
        chamber, id, options_value(cmd->options, "url"),
        dated ? instant_from_new_york(day, 0) : INSTANT_NONE, arena);
    return OK;
}

enum err cmd_review_new(struct cmd *cmd, struct fail *fail)
{
    struct str filer = options_value(cmd->options, "filer");
    struct desk_filer set;
    struct draft_new draft;
    ARENA_SCOPED(arena);
    struct desk desk = {.db = NULL};
    enum err err = read_new(cmd, &arena, &draft, fail);
    if (!err)
        err = review_desk_open(cmd, &desk, fail);
    if (!err)
        err = desk_new(&desk, &draft, filer, fail);
    if (!err && !str_is_null(filer))
        err = explain_filer(
            desk.db, filer,
            desk_set_filer(&desk, draft.filing_id, filer, STR_NULL, STR_NULL, &set, fail), fail);
    if (!err) {
        out_begin(cmd->out, OUT_BLOCK);
        out_str(cmd->out, "filingId", draft.filing_id);
        out_end(cmd->out);
    }
    db_close(desk.db);
    return err;
}

/* --- list and show */

static enum err fail_state(struct str name, struct fail *fail)
{
    char space[256];
    struct buf names = buf_over(space, sizeof space);
    for (int s = REPORT_NONE + 1; s < REPORT_STATE_COUNT; s++)
        if (report_state_is_of_draft((enum report_state)s)) {
            if (names.n)
                buf_text(&names, s == REPORT_STATE_COUNT - 1 ? " or " : ", ");
            buf_str(&names, report_state_name((enum report_state)s));
        }
    return fail_set(
        fail, ERR_INVALID, "invalid value \"%.*s\" for --state: expected %.*s", STR_ARG(name),
        STR_ARG(buf_view(&names)));
}

/* The drafts to list. */
struct draft_choice {
    bool clean; /* only clean ones that wait */
    draft_visit *visit;
    void *ctx;
};

static enum err visit_chosen(void *ctx, const struct draft *draft)
{
    const struct draft_choice *choice = ctx;
    bool waits = draft->state == DRAFT_WAITING || draft->state == DRAFT_IN_REVIEW;
    return choice->clean && !(draft->clean && waits) ? OK : choice->visit(choice->ctx, draft);
}

enum err cmd_review_list(struct cmd *cmd, struct fail *fail)
{
    struct str name = options_value(cmd->options, "state");
    enum report_state state = REPORT_NONE;
    DB_SCOPED(db);
    if (!str_is_null(name) &&
        !(report_state_from_name(name, &state) && report_state_is_of_draft(state)))
        return fail_state(name, fail);
    bool page = out_is_page(cmd->out);
    struct draft_choice choice = {
        .clean = options_given(cmd->options, "clean"),
        .visit = page ? review_list_add : review_show_line,
    };
    struct review_list *list = page ? review_list_create() : NULL;
    choice.ctx = page ? (void *)list : (void *)cmd->out;
    enum err err = store_access_open(cmd, STORE_READ, &db, fail);
    if (!err)
        err = draft_each(db, state, visit_chosen, &choice, fail);
    if (!err && page)
        review_list_print(list, cmd->out, cmd->settings->base_url);
    review_list_destroy(list);
    return err;
}

enum err cmd_review_show(struct cmd *cmd, struct fail *fail)
{
    struct desk_view view;
    ARENA_SCOPED(arena);
    DB_SCOPED(db);
    enum err err = store_access_open(cmd, STORE_READ, &db, fail);
    if (!err)
        err = desk_show(db, cmd->options->operands[0], &arena, &view, fail);
    return err ? err : review_show(cmd->out, db, &view, fail);
}
