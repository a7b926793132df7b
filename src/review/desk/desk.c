/* Claiming, accepting, rejecting; see desk.h. */
#include "review/desk/desk.h"

#include "review/desk/desk_parts.h"
#include "review/reason.h"
#include "review/standing.h"
#include "store/desk/same_person.h"
#include "store/desk/second_entry.h"

enum err desk_claim(const struct desk *desk, struct str filing_id, struct fail *fail)
{
    DESK_ACT(a);
    TRY(desk_open(&a, desk, filing_id, fail));
    TRY(desk_hold(&a, fail));
    return desk_close(&a, fail);
}

/* --- reject, nothing to report */

static enum err close_unpublished(
    struct desk_act *a, enum draft_action action, struct str reason, struct fail *fail)
{
    struct draft *d = &a->draft;
    TRY(desk_hold(a, fail));
    if (d->publication_no)
        return fail_set(
            fail, ERR_REFUSED, "%.*s is public: withdraw the filing instead",
            STR_ARG(d->is.filing_id));
    TRY(desk_step(a, action, fail));
    d->is.reason = reason;
    d->claimed_by = STR_NULL;
    d->claimed_until = INSTANT_NONE;
    d->nothing_reported = action == DRAFT_REPORT_NOTHING;
    const struct draft_event event = {.action = draft_action_name(action), .reason = reason};
    return desk_note(a, event, fail);
}

enum err desk_reject(
    const struct desk *desk, struct str filing_id, struct str reason, struct fail *fail)
{
    DESK_ACT(a);
    TRY(reason_check(reason, fail));
    TRY(desk_open(&a, desk, filing_id, fail));
    TRY(close_unpublished(&a, DRAFT_REJECT, reason, fail));
    return desk_close(&a, fail);
}

enum err desk_report_nothing(const struct desk *desk, struct str filing_id, struct fail *fail)
{
    DESK_ACT(a);
    struct draft_row_list rows;
    size_t left = 0;
    TRY(desk_open(&a, desk, filing_id, fail));
    TRY(draft_row_load(desk->db, a.draft.no, &a.arena, &rows, fail));
    for (size_t i = 0; i < rows.count; i++)
        left += !rows.items[i].removed;
    if (left && !a.draft.publication_no)
        return fail_set(
            fail, ERR_REFUSED, "%.*s has %zu row%s: delete what is no trade first, or reject it",
            STR_ARG(filing_id), left, left == 1 ? "" : "s");
    TRY(close_unpublished(&a, DRAFT_REPORT_NOTHING, STR_NULL, fail));
    return desk_close(&a, fail);
}

/* --- accept */

/* The person who accepts is the first. What another person typed before may agree with it already:
 * then the draft is typed twice. */
static enum err count_first_entry(struct desk_act *a, enum draft_action *ret, struct fail *fail)
{
    struct draft *d = &a->draft;
    *ret = DRAFT_ACCEPT_FIRST;
    d->accepted_by = a->desk->by;
    d->accepted_at = a->desk->now_ms;
    d->is.reason = STR_NULL; /* why it came back: the person who accepts it has read it */
    TRY(second_entry_forget_person(a->desk->db, d->no, a->desk->by, fail));
    return double_judge(a, &d->entry, fail);
}

/* Records who accepted; *ret_action: the resulting step of the draft. */
static enum err count_acceptance(struct desk_act *a, enum draft_action *ret, struct fail *fail)
{
    struct draft *d = &a->draft;
    bool needs_two = a->desk->second_reviewer && d->is.manual;
    *ret = DRAFT_ACCEPT;
    if (a->desk->double_entry && d->is.manual)
        return count_first_entry(a, ret, fail);
    if (needs_two && !str_is_null(d->accepted_by)) {
        bool same;
        TRY(same_person(a->desk->db, d->accepted_by, a->desk->by, &same, fail));
        if (same)
            return fail_set(
                fail, ERR_REFUSED,
                "you have already accepted %.*s: a second person must accept it too",
                STR_ARG(d->is.filing_id));
        d->second_by = a->desk->by;
        d->second_at = a->desk->now_ms;
        return OK;
    }
    d->accepted_by = a->desk->by;
    d->accepted_at = a->desk->now_ms;
    if (needs_two)
        *ret = DRAFT_ACCEPT_FIRST;
    return OK;
}

static enum err accept(struct desk_act *a, struct str despite, struct str reason, struct fail *fail)
{
    struct draft_row_list rows;
    struct difference difference;
    enum draft_action action = DRAFT_ACCEPT;
    if (!a->desk->double_entry)
        a->draft.entry = DRAFT_ENTRY_NONE; /* the setting was turned off */
    TRY(desk_hold(a, fail));
    TRY(standing_compare(a->desk->db, &a->draft, &a->arena, &rows, &difference, fail));
    TRY(desk_check_obstacles(a, &difference, despite, reason, fail));
    TRY(count_acceptance(a, &action, fail));
    TRY(desk_note_acceptance(a, &rows, a->desk->by, action, fail));
    if (a->draft.entry == DRAFT_ENTRY_TWICE)
        return double_settle(a, DRAFT_ENTRY_TWICE, fail);
    TRY(desk_step(a, action, fail));
    a->draft.difference = standing_text(&difference, &a->arena);
    a->draft.claimed_by = STR_NULL;
    a->draft.claimed_until = INSTANT_NONE;
    return OK;
}

enum err desk_accept(
    const struct desk *desk, struct str filing_id, struct str despite, struct str reason,
    enum draft_state *ret_state, struct fail *fail)
{
    DESK_ACT(a);
    TRY(desk_open(&a, desk, filing_id, fail));
    TRY(accept(&a, despite, reason, fail));
    *ret_state = a.draft.state;
    return desk_close(&a, fail);
}
