/* Shared by all actions on drafts; only desk*.c include it. */
#pragma once

#include "review/desk.h"
#include "store/draft_history.h"
#include "store/filing.h"
#include "store/member.h"

/* One action on one draft, inside its transaction. */
struct desk_act {
    const struct desk *desk;
    struct arena arena;
    struct draft draft; /* written back by desk_close */
};

/* Begins the transaction and locks the draft; desk_close must follow, also after an error. */
enum err desk_open(
    struct desk_act *act, const struct desk *desk, struct str filing_id,
    struct fail *fail) MUST_CHECK;
/* Commits if `err` is OK, rolls back otherwise. */
enum err desk_close(struct desk_act *act, enum err err, struct fail *fail) MUST_CHECK;

enum err desk_begin_edit(struct desk_act *act, struct fail *fail) MUST_CHECK;

/* ERR_INVALID: not the URL of a document. */
enum err desk_check_url(struct str url, struct fail *fail) MUST_CHECK;

/* ERR_REFUSED: the member had no term in that chamber when it was filed (INSTANT_NONE: at any
 * time), so that the filing is not this member's. */
enum err desk_check_filer(
    const struct desk *desk, const struct member *to, enum chamber chamber, int64_t filed_at,
    struct fail *fail) MUST_CHECK;

/* Loads the filing of the draft; it exists if the draft was ever published. */
enum err desk_filing(
    struct desk_act *act, struct filing_row *ret, bool *ret_there, struct fail *fail) MUST_CHECK;

/* Adds a line of history; fills in time and person. */
enum err desk_note(struct desk_act *act, struct draft_event event, struct fail *fail) MUST_CHECK;
