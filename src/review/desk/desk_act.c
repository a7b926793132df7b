/* One action on one draft inside its transaction; see desk_parts.h. */
#include "review/desk/desk_parts.h"

#include "review/desk/looked.h"
#include "store/desk/draft_look.h"
#include "store/public/known.h"

enum err desk_open(
    struct desk_act *a, const struct desk *desk, struct str filing_id, struct fail *fail)
{
    a->desk = desk;
    enum err err = db_join(desk->db, &a->own, fail);
    if (!err)
        err = draft_lock(desk->db, filing_id, &a->arena, &a->draft, fail);
    a->had_nothing = !err && a->draft.nothing_reported;
    return err;
}

enum err desk_close(struct desk_act *a, struct fail *fail)
{
    struct db *db = a->desk->db;
    TRY(draft_update(db, &a->draft, fail));
    if (a->had_nothing != a->draft.nothing_reported)
        TRY(known_changed(db, a->draft.is.politician_id, fail));
    bool own = a->own;
    a->own = false;
    return db_leave(db, own, OK, fail);
}

void desk_drop(struct desk_act *a)
{
    if (a->own)
        db_rollback(a->desk->db);
    arena_finish(&a->arena);
}

enum err desk_note(struct desk_act *a, struct draft_event event, struct fail *fail)
{
    event.at = a->desk->now_ms;
    event.by = a->desk->by;
    return draft_history_add(a->desk->db, a->draft.no, &event, fail);
}

enum err desk_note_acceptance(
    struct desk_act *a, const struct draft_row_list *rows, struct str by, enum draft_action action,
    struct fail *fail)
{
    const struct looked_at at = {
        .draft = &a->draft,
        .rows = rows,
        .by = by,
        .way = str_eq_nocase(by, a->desk->by) ? a->desk->way : ACCEPTANCE_SCRIPT,
        .now_ms = a->desk->now_ms,
    };
    struct draft_event event = {.action = draft_action_name(action)};
    TRY(looked_store(a->desk->db, &at, &a->arena, &event.new, fail));
    return desk_note(a, event, fail);
}

enum err desk_filing(struct desk_act *a, struct filing_row *ret, bool *ret_there, struct fail *fail)
{
    enum err err = filing_find(a->desk->db, a->draft.is.filing_id, &a->arena, ret, fail);
    *ret_there = err == OK;
    return err == ERR_NOT_FOUND ? OK : err;
}

enum err desk_step(struct desk_act *a, enum draft_action action, struct fail *fail)
{
    enum draft_state next;
    if (!draft_step(a->draft.state, action, &next))
        return fail_set(
            fail, ERR_REFUSED, "%.*s is %.*s: it cannot be %s", STR_ARG(a->draft.is.filing_id),
            STR_ARG(report_state_name(a->draft.shown)),
            action == DRAFT_CLAIM            ? "claimed"
            : action == DRAFT_EDIT           ? "changed"
            : action == DRAFT_REJECT         ? "rejected"
            : action == DRAFT_REPORT_NOTHING ? "closed"
                                             : "accepted");
    a->draft.state = next;
    return OK;
}

static bool is_held_by_another(const struct desk_act *a)
{
    return a->draft.state == DRAFT_IN_REVIEW && a->desk->now_ms < a->draft.claimed_until &&
           !str_eq_nocase(a->draft.claimed_by, a->desk->by);
}

static enum err refuse_held(const struct desk_act *a, struct fail *fail)
{
    char until[INSTANT_TEXT_SIZE];
    instant_print(a->draft.claimed_until, until);
    return fail_set(
        fail, ERR_BUSY, "%.*s is claimed by %.*s until %.*s", STR_ARG(a->draft.is.filing_id),
        STR_ARG(a->draft.claimed_by), (int)sizeof until, until);
}

/* Claiming an accepted or published draft again clears its acceptances, because it must be accepted
 * again before the next publication. A first acceptance is kept while the second reviewer checks
 * the draft. */
enum err desk_hold(struct desk_act *a, struct fail *fail)
{
    struct draft *d = &a->draft;
    bool mine = d->state == DRAFT_IN_REVIEW && str_eq_nocase(d->claimed_by, a->desk->by);
    bool settled = d->state != DRAFT_WAITING && d->state != DRAFT_IN_REVIEW;
    bool published = d->state == DRAFT_PUBLISHED || d->state == DRAFT_AMENDED;
    if (is_held_by_another(a))
        return refuse_held(a, fail);
    TRY(desk_step(a, DRAFT_CLAIM, fail));
    if (published && d->second_at != INSTANT_NONE)
        TRY(filing_keep_second_review(a->desk->db, d->is.filing_id, d->second_at, fail));
    if (settled) {
        d->accepted_by = d->second_by = d->difference = STR_NULL;
        d->accepted_at = d->second_at = INSTANT_NONE;
        d->entry = DRAFT_ENTRY_NONE;
        d->nothing_reported = false;
    }
    d->claimed_by = a->desk->by;
    d->claimed_until = a->desk->now_ms + DESK_CLAIM_MS;
    return mine
               ? OK
               : desk_note(a, (struct draft_event){.action = draft_action_name(DRAFT_CLAIM)}, fail);
}

/* An edit clears a first acceptance: that person has not seen the edited draft. */
enum err desk_begin_edit(struct desk_act *a, struct fail *fail)
{
    TRY(desk_hold(a, fail));
    TRY(desk_step(a, DRAFT_EDIT, fail));
    a->draft.accepted_by = a->draft.difference = STR_NULL;
    a->draft.accepted_at = INSTANT_NONE;
    a->draft.entry = DRAFT_ENTRY_NONE;
    return draft_look_forget_rows(a->desk->db, a->draft.no, a->desk->by, fail);
}
