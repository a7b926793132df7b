/* The filer of a draft, and of a public filing; see desk.h. */
#include "review/desk/desk_parts.h"

#include "base/str_list.h"
#include "review/correct_filing.h"
#include "review/reason.h"
#include "event/transaction.h"
#include "store/desk/filer_alias.h"
#include "store/public/known.h"

enum err desk_check_filer(
    const struct desk *desk, const struct member *to, enum chamber chamber, int64_t filed_at,
    struct fail *fail)
{
    const char *there = chamber == CHAMBER_SENATE ? "Senate" : "House";
    int32_t day = filed_at == INSTANT_NONE ? DAY_NONE : instant_day_new_york(filed_at);
    char space[DAY_TEXT_SIZE] = "";
    bool may_file = false;
    enum err err = member_may_file(desk->db, to->id, chamber, day, &may_file, fail);
    if (err || may_file)
        return err;
    if (day != DAY_NONE)
        day_print(day, space);
    return fail_set(
        fail, ERR_REFUSED,
        "%.*s has no term in the %s%s%.*s: choose the member who filed it, or import the missing "
        "term",
        STR_ARG(to->slug), there, day == DAY_NONE ? "" : " in the year up to ", (int)sizeof space,
        space);
}

/* The printed name leads to this member from now on, also if it led to another one. */
static enum err remember(
    struct desk_act *a, struct str politician_id, struct str alias, struct fail *fail)
{
    const struct filer_alias put = {
        .chamber = a->draft.is.chamber,
        .name = alias,
        .state = a->draft.is.filer_state,
        .district = a->draft.is.filer_district,
        .politician_id = politician_id,
        .by = a->desk->by,
    };
    return alias.n == 0 ? OK : filer_alias_put(a->desk->db, &put, a->desk->now_ms, fail);
}

/* --- waiting drafts of the same filer */

static void note_draft(void *ctx, struct str filing_id)
{
    str_list_add(ctx, filing_id);
}

static enum err move_draft(
    struct desk_act *a, struct str filing_id, const struct draft_event *event, struct fail *fail)
{
    DESK_ACT(other);
    other.desk = a->desk;
    TRY(draft_lock(a->desk->db, filing_id, &other.arena, &other.draft, fail));
    other.draft.is.politician_id = event->new;
    TRY(draft_update(a->desk->db, &other.draft, fail));
    return desk_note(&other, *event, fail);
}

/* Untouched drafts with the same printed name and the former member. An amendment among them would
 * otherwise be published as a second report, under that member. */
static enum err move_waiting(struct desk_act *a, const struct draft_event *event, struct fail *fail)
{
    STR_LIST_SCOPED(drafts);
    if (str_is_null(a->draft.is.filer) || str_is_null(a->draft.is.politician_id))
        return OK;
    TRY(draft_each_of_filer(a->desk->db, &a->draft.is, note_draft, &drafts, fail));
    for (size_t i = 0; i < drafts.count; i++)
        TRY(move_draft(a, drafts.items[i], event, fail));
    return OK;
}

/* --- the draft or filing itself */

static enum err change_draft(
    struct desk_act *a, struct str politician_id, struct str alias, struct str reason,
    struct fail *fail)
{
    const struct draft_event event = {
        .action = STR("set_filer"),
        .old = a->draft.is.politician_id,
        .new = politician_id,
        .reason = reason,
    };
    TRY(move_waiting(a, &event, fail));
    a->draft.is.politician_id = politician_id;
    TRY(remember(a, politician_id, alias, fail));
    return desk_note(a, event, fail);
}

/* A draft that is neither claimed nor accepted keeps its state: its rows did not change. An
 * accepted one must be accepted again. */
static enum err hold_draft(struct desk_act *a, struct fail *fail)
{
    bool settled = a->draft.state != DRAFT_IN_REVIEW && a->draft.state != DRAFT_ACCEPTED;
    return settled ? OK : desk_begin_edit(a, fail);
}

/* The filing is public. Bulk history has no draft. */
static enum err change_public(
    struct desk_act *a, const struct filing_row *filing, const struct member *to, struct str alias,
    struct str reason, struct filing_corrected *ret, struct fail *fail)
{
    struct filing_correction correction = {
        .member = to,
        .filed_at = INSTANT_NONE,
        .by = a->desk->by,
        .reason = str_trim(reason),
        .now_ms = a->desk->now_ms,
    };
    struct db *db = a->desk->db;
    enum err err = reason_check(reason, fail);
    if (!err)
        err = draft_lock(db, filing->filing.id, &a->arena, &a->draft, fail);
    bool has_draft = err == OK;
    if (err == ERR_NOT_FOUND)
        err = OK;
    if (!err)
        err = desk_check_filer(a->desk, to, filing->filing.chamber, filing->filing.filed_at, fail);
    if (!err && has_draft)
        err = hold_draft(a, fail);
    if (has_draft)
        correction.printed_state = a->draft.is.filer_state;
    if (!err)
        err = correct_filing(db, filing, &correction, ret, fail);
    if (!err && has_draft)
        err = change_draft(a, to->id, alias, correction.reason, fail);
    if (!err && has_draft)
        err = draft_update(db, &a->draft, fail);
    return err ? err : draft_set_member(db, filing->filing.id, to->id, fail);
}

static enum err change_unpublished(
    struct desk_act *a, struct str filing_id, const struct member *to, struct str alias,
    struct str reason, struct fail *fail)
{
    TRY(draft_lock(a->desk->db, filing_id, &a->arena, &a->draft, fail));
    TRY(desk_check_filer(a->desk, to, a->draft.is.chamber, a->draft.is.filed_at, fail));
    TRY(desk_begin_edit(a, fail));
    TRY(change_draft(a, to->id, alias, reason, fail));
    return draft_update(a->desk->db, &a->draft, fail);
}

static enum err change(
    struct desk_act *a, struct str filing_id, struct str member, struct str alias,
    struct str reason, struct desk_filer *ret, struct fail *fail)
{
    struct db *db = a->desk->db;
    struct filing_corrected corrected = {0};
    struct filing_row filing;
    struct member to;
    TRY(member_find(db, member, &a->arena, &to, fail));
    enum err err = filing_find(db, filing_id, &a->arena, &filing, fail);
    if (err == ERR_NOT_FOUND)
        return change_unpublished(a, filing_id, &to, alias, reason, fail);
    if (!err)
        err = change_public(a, &filing, &to, alias, reason, &corrected, fail);
    *ret = (struct desk_filer){.is_public = true, .trades = corrected.trades};
    return err;
}

enum err desk_set_filer(
    const struct desk *desk, struct str filing_id, struct str member, struct str alias,
    struct str reason, struct desk_filer *ret, struct fail *fail)
{
    DESK_ACT(a);
    REVIEW_TRANSACTION(t);
    struct desk_filer filer = {.is_public = false};
    a.desk = desk;
    TRY(review_begin(&t, desk->db, desk->now_ms, fail));
    TRY(change(&a, filing_id, member, alias, reason, &filer, fail));
    TRY(known_changed(desk->db, STR_NULL, fail));
    TRY(review_end(&t, fail));
    *ret = filer;
    return OK;
}
