/* The frame that all acts at the desk share; only desk*.c include it. */
#pragma once

#include "review/desk.h"
#include "store/draft_history.h"
#include "store/filing.h"

/* One act on one draft, inside its transaction. */
struct desk_act {
    const struct desk *desk;
    struct arena arena;
    struct draft draft; /* written back by desk_close */
};

/* Begins the transaction and takes the draft; desk_close must follow whatever it returns. */
enum err desk_open(
    struct desk_act *act, const struct desk *desk, struct str filing_id,
    struct fail *fail) MUST_CHECK;
/* Writes and commits when `err` is OK, rolls back otherwise. */
enum err desk_close(struct desk_act *act, enum err err, struct fail *fail) MUST_CHECK;

enum err desk_step(struct desk_act *act, enum draft_action action, struct fail *fail) MUST_CHECK;
enum err desk_hold(struct desk_act *act, struct fail *fail) MUST_CHECK;
enum err desk_begin_edit(struct desk_act *act, struct fail *fail) MUST_CHECK;

/* The draft's filing, if there is one: it was public once. */
enum err desk_filing(
    struct desk_act *act, struct filing_row *ret, bool *ret_there, struct fail *fail) MUST_CHECK;

/* Adds the line of history; time and person are filled in. */
enum err desk_note(struct desk_act *act, struct draft_event event, struct fail *fail) MUST_CHECK;
