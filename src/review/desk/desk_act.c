/* One action on one draft inside its transaction; see desk_parts.h. */
#include "review/desk/desk_parts.h"
#include "store/desk/draft.h"
#include "store/desk/draft_look.h"
#include "store/desk/draft_row.h"
#include "store/public/acceptance.h"
#include "store/public/document.h"
#include "store/public/known.h"

/*
 * What an acceptance can prove, by what the server has shown to the person
 * (docs/adr/0039-evidence-of-looking.md): measured, never declared.
 */

/* A draft that is accepted. */
struct looked_at {
    const struct draft *draft;
    const struct draft_row_list *rows;
    struct str by;
    enum acceptance_way way;
    int64_t now_ms;
};

/* What must have been shown. */
struct looked_needed {
    struct number_set pages, rows;
    bool unknown; /* a row's page is not known, nor which pages there are */
};

/* An electronic report of the Senate is one page. The page of a row that a person added may not be
 * known: then all pages are needed. */
static enum err find_needed(
    struct db *db, const struct looked_at *at, struct arena *arena, struct looked_needed *ret,
    struct fail *fail)
{
    const struct draft_new *is = &at->draft->is;
    struct document_page_list pages = {.count = 0};
    bool all = false;
    for (size_t i = 0; i < at->rows->count; i++) {
        const struct draft_row_stored *row = &at->rows->items[i];
        if (row->removed)
            continue;
        number_set_add(&ret->rows, row->row);
        number_set_add(&ret->pages, row->page ? row->page : 1);
        all |= !row->page && (is->manual || is->chamber == CHAMBER_HOUSE);
    }
    number_set_add(&ret->pages, number_set_count(&ret->rows) ? 0 : 1);
    if (!all)
        return OK;
    TRY(document_page_load(db, is->document_version, arena, &pages, fail));
    for (size_t i = 0; i < pages.count; i++)
        number_set_add(&ret->pages, pages.items[i].page);
    ret->unknown = pages.count == 0;
    return OK;
}

/* "page: pages 1-2 of 1-2 shown, 0 of 12 rows opened, 14 s, by the desk" */
static struct str line_of(
    const struct acceptance *is, const struct looked_needed *needed, const struct draft_look *look,
    struct arena *arena)
{
    static const char *const ways[ACCEPTANCE_WAY_COUNT] = {
        [ACCEPTANCE_SCRIPT] = "on the desk",
        [ACCEPTANCE_DESK] = "on the desk without its script",
        [ACCEPTANCE_COMMAND] = "by command",
    };
    struct str review = filing_review_name(is->review);
    return arena_fmt(
        arena, "%.*s: pages %.*s of %.*s shown, %d of %d rows opened, %lld s, %s", STR_ARG(review),
        STR_ARG(is->pages.n ? is->pages : STR("none")),
        STR_ARG(number_set_text(&needed->pages, arena)), number_set_count(&look->opened),
        is->row_count, (long long)(is->ms / 1000), ways[is->way]);
}

/* Stores the acceptance (store/public/acceptance.h). *ret_line: the same in words, for the history,
 * in the arena. */
static enum err looked_store(
    struct db *db, const struct looked_at *at, struct arena *arena, struct str *ret_line,
    struct fail *fail)
{
    struct looked_needed *needed = ARENA_NEW(arena, struct looked_needed);
    struct draft_look look;
    TRY(find_needed(db, at, arena, needed, fail));
    TRY(draft_look_end(
        db, at->draft->no, at->way == ACCEPTANCE_COMMAND ? STR("") : at->by, at->now_ms, &look,
        fail));
    bool shown = !needed->unknown && number_set_within(&needed->pages, &look.pages);
    bool opened = number_set_within(&needed->rows, &look.opened);
    number_set_keep(&look.pages, &needed->pages);
    number_set_keep(&look.opened, &needed->rows);
    const struct acceptance is = {
        .draft_no = at->draft->no,
        .at = at->now_ms,
        .by = at->by,
        .way = at->way,
        .review = !shown                                   ? FILING_REVIEW_UNSEEN
                  : opened && at->way == ACCEPTANCE_SCRIPT ? FILING_REVIEW_ROW
                                                           : FILING_REVIEW_PAGE,
        .pages = number_set_text(&look.pages, arena),
        .opened = number_set_text(&look.opened, arena),
        .row_count = number_set_count(&needed->rows),
        .ms = look.ms,
    };
    *ret_line = line_of(&is, needed, &look, arena);
    return acceptance_add(db, &is, fail);
}

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
