/* Shared by all actions on drafts. Private to src/review/desk. */
#pragma once

#include "review/desk/desk.h"
#include "store/desk/draft_history.h"
#include "store/public/filing.h"
#include "store/public/member.h"

/* One action on one draft, inside its transaction. */
struct desk_act {
    const struct desk *desk;
    bool own; /* the transaction is this action's own */
    struct arena arena;
    struct draft draft; /* written back by desk_close */
    bool had_nothing;   /* draft.nothing_reported before the action */
};

/* Declares an action. What desk_close does not end is undone where the block ends. */
#define DESK_ACT(name) struct desk_act name __attribute__((cleanup(desk_drop))) = {.own = false}
void desk_drop(struct desk_act *act);

/* Begins or joins the transaction and locks the draft. */
enum err desk_open(
    struct desk_act *act, const struct desk *desk, struct str filing_id, struct fail *fail);
/* Writes the draft back, and commits its own transaction. */
enum err desk_close(struct desk_act *act, struct fail *fail);

/* Claims the draft, or renews the claim. Keeps a first acceptance, unless the draft was settled. */
enum err desk_hold(struct desk_act *act, struct fail *fail);
/* Moves the draft to its next state. ERR_REFUSED: not possible in its state. */
enum err desk_step(struct desk_act *act, enum draft_action action, struct fail *fail);

enum err desk_begin_edit(struct desk_act *act, struct fail *fail);

/* Sets a field of a row as desk_set does, and removes a row as desk_delete_row does, without the
 * line of history and without a claim. */
enum err desk_edit_row(
    struct desk_act *act, int row, struct str field, struct str value, struct fail *fail);
enum err desk_remove_row(struct desk_act *act, int row, struct fail *fail);

/* Refuses with the first obstacle. Every failed self-check must be waived by name; the history
 * records each waiver with the reason. DESK_CHECKS_WAIVED: the first acceptance waived them. */
#define DESK_CHECKS_WAIVED STR("*")
enum err desk_check_obstacles(
    struct desk_act *act, const struct difference *difference, struct str despite,
    struct str reason, struct fail *fail);

/* ERR_INVALID: not the URL of a document. */
enum err desk_check_url(struct str url, struct fail *fail);

/* ERR_REFUSED: the member had no term in that chamber when it was filed (INSTANT_NONE: at any
 * time), so that the filing is not this member's. */
enum err desk_check_filer(
    const struct desk *desk, const struct member *to, enum chamber chamber, int64_t filed_at,
    struct fail *fail);

/* Loads the filing of the draft; it exists if the draft was ever published. */
enum err desk_filing(
    struct desk_act *act, struct filing_row *ret, bool *ret_there, struct fail *fail);

/* Adds a line of history; fills in time and person. */
enum err desk_note(struct desk_act *act, struct draft_event event, struct fail *fail);

/* Stores that this person accepts, with what was shown (review/desk/desk_act.c), and its line of
 * history. If a third person settles two entries, `by` is the second, who typed at the desk. */
enum err desk_note_acceptance(
    struct desk_act *act, const struct draft_row_list *rows, struct str by,
    enum draft_action action, struct fail *fail);

/* --- double_entry.c */

/* Compares all fields once all rows are typed and counted, stores each outcome, and returns the
 * next step of the draft: SECOND, THIRD or TWICE. */
enum err double_judge(struct desk_act *act, enum draft_entry *ret, struct fail *fail);

/* Moves the draft to that step; TWICE accepts it. */
enum err double_settle(struct desk_act *act, enum draft_entry entry, struct fail *fail);
