/* Claiming, accepting, rejecting; see desk.h. */
#include "review/desk.h"

#include "review/desk_parts.h"
#include "review/looked.h"
#include "review/reason.h"
#include "review/standing.h"
#include "store/desk/draft_look.h"
#include "store/desk/same_person.h"
#include "store/desk/second_entry.h"
#include "store/public/known.h"

/* --- the transaction around every action */

enum err desk_open(
    struct desk_act *a, const struct desk *desk, struct str filing_id, struct fail *fail)
{
    *a = (struct desk_act){.desk = desk};
    arena_init(&a->arena);
    enum err err = db_join(desk->db, &a->own, fail);
    if (!err)
        err = draft_lock(desk->db, filing_id, &a->arena, &a->draft, fail);
    a->had_nothing = !err && a->draft.nothing_reported;
    return err;
}

enum err desk_close(struct desk_act *a, enum err err, struct fail *fail)
{
    if (!err)
        err = draft_update(a->desk->db, &a->draft, fail);
    if (!err && a->had_nothing != a->draft.nothing_reported)
        err = known_changed(a->desk->db, a->draft.is.politician_id, fail);
    err = db_leave(a->desk->db, a->own, err, fail);
    arena_finish(&a->arena);
    return err;
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
    enum err err = looked_store(a->desk->db, &at, &a->arena, &event.new, fail);
    return err ? err : desk_note(a, event, fail);
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
    enum err err = desk_step(a, DRAFT_CLAIM, fail);
    if (!err && published && d->second_at != INSTANT_NONE)
        err = filing_keep_second_review(a->desk->db, d->is.filing_id, d->second_at, fail);
    if (err)
        return err;
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
    enum err err = desk_hold(a, fail);
    if (!err)
        err = desk_step(a, DRAFT_EDIT, fail);
    a->draft.accepted_by = a->draft.difference = STR_NULL;
    a->draft.accepted_at = INSTANT_NONE;
    a->draft.entry = DRAFT_ENTRY_NONE;
    return err ? err : draft_look_forget_rows(a->desk->db, a->draft.no, a->desk->by, fail);
}

enum err desk_claim(const struct desk *desk, struct str filing_id, struct fail *fail)
{
    struct desk_act a;
    enum err err = desk_open(&a, desk, filing_id, fail);
    if (!err)
        err = desk_hold(&a, fail);
    return desk_close(&a, err, fail);
}

/* --- reject, nothing to report */

static enum err close_unpublished(
    struct desk_act *a, enum draft_action action, struct str reason, struct fail *fail)
{
    struct draft *d = &a->draft;
    enum err err = desk_hold(a, fail);
    if (!err && d->publication_no)
        err = fail_set(
            fail, ERR_REFUSED, "%.*s is public: withdraw the filing instead",
            STR_ARG(d->is.filing_id));
    if (!err)
        err = desk_step(a, action, fail);
    d->is.reason = reason;
    d->claimed_by = STR_NULL;
    d->claimed_until = INSTANT_NONE;
    d->nothing_reported = action == DRAFT_REPORT_NOTHING;
    const struct draft_event event = {.action = draft_action_name(action), .reason = reason};
    return err ? err : desk_note(a, event, fail);
}

enum err desk_reject(
    const struct desk *desk, struct str filing_id, struct str reason, struct fail *fail)
{
    struct desk_act a;
    enum err err = reason_check(reason, fail);
    if (err)
        return err;
    err = desk_open(&a, desk, filing_id, fail);
    if (!err)
        err = close_unpublished(&a, DRAFT_REJECT, reason, fail);
    return desk_close(&a, err, fail);
}

enum err desk_report_nothing(const struct desk *desk, struct str filing_id, struct fail *fail)
{
    struct desk_act a;
    struct draft_row_list rows;
    size_t left = 0;
    enum err err = desk_open(&a, desk, filing_id, fail);
    if (!err)
        err = draft_row_load(desk->db, a.draft.no, &a.arena, &rows, fail);
    for (size_t i = 0; !err && i < rows.count; i++)
        left += !rows.items[i].removed;
    if (left && !a.draft.publication_no)
        err = fail_set(
            fail, ERR_REFUSED, "%.*s has %zu row%s: delete what is no trade first, or reject it",
            STR_ARG(filing_id), left, left == 1 ? "" : "s");
    if (!err)
        err = close_unpublished(&a, DRAFT_REPORT_NOTHING, STR_NULL, fail);
    return desk_close(&a, err, fail);
}

/* --- accept */

static bool is_waived(struct str despite, struct str name)
{
    struct str part;
    while (!str_is_null(despite) && str_split(&despite, ',', &part))
        if (str_eq(str_trim(part), name))
            return true;
    return false;
}

/* The self-checks of a draft as they are judged: of a draft that was read from a document, no check
 * is missing. A draft entered by hand needs none. */
static enum err read_checks(
    const struct draft *d, struct arena *arena, struct self_check ret[static SELF_CHECKS_MAX],
    size_t *ret_count, struct fail *fail)
{
    struct fail why = {0};
    if (self_check_parse(d->is.checks, arena, ret, ret_count, &why))
        return fail_set(
            fail, ERR_CORRUPT,
            "the results of the checks of %.*s cannot be read: %s: restore the database from a "
            "backup",
            STR_ARG(d->is.filing_id), why.text);
    if (d->is.document_version && !d->is.manual)
        self_checks_complete(
            ret, ret_count, d->is.chamber == CHAMBER_HOUSE ? SELF_CHECK_HOUSE : SELF_CHECK_SENATE);
    return OK;
}

enum err desk_check_obstacles(
    struct desk_act *a, const struct difference *difference, struct str despite, struct str reason,
    struct fail *fail)
{
    struct self_check checks[SELF_CHECKS_MAX];
    struct obstacle_query query = {.draft = &a->draft, .difference = difference, .checks = checks};
    struct obstacle_list found = {.count = 0};
    enum err err = read_checks(&a->draft, &a->arena, checks, &query.check_count, fail);
    if (!err)
        err = obstacles_find(a->desk->db, &query, &a->arena, &found, fail);
    for (size_t i = 0; !err && i < found.count; i++) {
        struct str name = found.items[i].name;
        if (found.items[i].kind == OBSTACLE_CHECK && str_eq(despite, DESK_CHECKS_WAIVED))
            continue;
        if (found.items[i].kind != OBSTACLE_CHECK || !is_waived(despite, name))
            return obstacle_refuse(&found.items[i], fail);
        err = reason_check(reason, fail);
        const struct draft_event event = {.action = STR("waive"), .field = name, .reason = reason};
        if (!err)
            err = desk_note(a, event, fail);
    }
    return err;
}

/* The person who accepts is the first. What another person typed before may agree with it already:
 * then the draft is typed twice. */
static enum err count_first_entry(struct desk_act *a, enum draft_action *ret, struct fail *fail)
{
    struct draft *d = &a->draft;
    *ret = DRAFT_ACCEPT_FIRST;
    d->accepted_by = a->desk->by;
    d->accepted_at = a->desk->now_ms;
    d->is.reason = STR_NULL; /* why it came back: the person who accepts it has read it */
    enum err err = second_entry_forget_person(a->desk->db, d->no, a->desk->by, fail);
    return err ? err : double_judge(a, &d->entry, fail);
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
        enum err err = same_person(a->desk->db, d->accepted_by, a->desk->by, &same, fail);
        if (err)
            return err;
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
    enum err err = desk_hold(a, fail);
    if (!err)
        err = standing_compare(a->desk->db, &a->draft, &a->arena, &rows, &difference, fail);
    if (!err)
        err = desk_check_obstacles(a, &difference, despite, reason, fail);
    if (!err)
        err = count_acceptance(a, &action, fail);
    if (!err)
        err = desk_note_acceptance(a, &rows, a->desk->by, action, fail);
    if (!err && a->draft.entry == DRAFT_ENTRY_TWICE)
        return double_settle(a, DRAFT_ENTRY_TWICE, fail);
    if (!err)
        err = desk_step(a, action, fail);
    if (err)
        return err;
    a->draft.difference = standing_text(&difference, &a->arena);
    a->draft.claimed_by = STR_NULL;
    a->draft.claimed_until = INSTANT_NONE;
    return OK;
}

enum err desk_accept(
    const struct desk *desk, struct str filing_id, struct str despite, struct str reason,
    enum draft_state *ret_state, struct fail *fail)
{
    struct desk_act a;
    enum err err = desk_open(&a, desk, filing_id, fail);
    if (!err)
        err = accept(&a, despite, reason, fail);
    *ret_state = a.draft.state;
    return desk_close(&a, err, fail);
}

/* --- reading */

enum err desk_show(
    struct db *db, struct str filing_id, struct arena *arena, struct desk_view *ret,
    struct fail *fail)
{
    struct filing_row filing;
    enum err err = draft_find(db, filing_id, arena, &ret->draft, fail);
    if (err)
        return err;
    err = filing_find(db, filing_id, arena, &filing, fail);
    if (err && err != ERR_NOT_FOUND)
        return err;
    struct fail why = {0};
    if (read_checks(&ret->draft, arena, ret->checks, &ret->check_count, &why)) {
        ret->checks[0] = (struct self_check){
            .name = STR("readable"), .detail = arena_str(arena, str_from(why.text))};
        ret->check_count = 1;
    }
    ret->public_filed_at = err ? INSTANT_NONE : filing.filing.filed_at;
    err = standing_compare(db, &ret->draft, arena, &ret->rows, &ret->difference, fail);
    const struct obstacle_query query = {
        .draft = &ret->draft,
        .difference = &ret->difference,
        .checks = ret->checks,
        .check_count = ret->check_count,
    };
    return err ? err : obstacles_find(db, &query, arena, &ret->obstacles, fail);
}
