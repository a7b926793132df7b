/*
 * What people do to drafts: claim, change, accept, reject, begin one by hand. Each is one
 * transaction that ends with a line of history: who, when, what it was, what it is, why. Whoever
 * changes a draft must hold it; every act of its holder renews the claim.
 */
#pragma once

#include "review/difference.h"
#include "store/draft.h"

enum { DESK_CLAIM_MS = 30 * 60 * 1000 };

struct desk {
    struct db *db;
    struct str by; /* e-mail address */
    int64_t now_ms;
    bool second_reviewer; /* what was entered by hand needs a second person's acceptance */
};

/* ERR_NOT_FOUND: no such draft. ERR_BUSY: somebody else holds it, the reason says who and until
 * when. ERR_REFUSED: not in that state; the reason says what holds. */
enum err desk_claim(const struct desk *desk, struct str filing_id, struct fail *fail) MUST_CHECK;

/* Accepts what desk_show tells now; claims by itself. Failed checks must be waived by name, all in
 * one list with commas, with a reason. ERR_REFUSED: filer or filing date is not known, a check
 * failed, a row's trade is open, nothing to publish, or the same person accepted before.
 * *ret_state: accepted, or draft where a second person must accept too. */
enum err desk_accept(
    const struct desk *desk, struct str filing_id, struct str despite, struct str reason,
    enum draft_state *ret_state, struct fail *fail) MUST_CHECK;

enum err desk_reject(
    const struct desk *desk, struct str filing_id, struct str reason, struct fail *fail) MUST_CHECK;

/* A field of a row by the name of core/row_field.h, "notifiedDate", "status" (new, amended,
 * deleted) or "trade" (the id of the trade that it stands for, "new", or nothing for what the
 * program proposes). Row 0: "filed" (a date, or a Senate page's date and time) or "url" of the
 * filing. A row that lacked something is released when it lacks nothing more. */
enum err desk_set(
    const struct desk *desk, struct str filing_id, int row, struct str field, struct str value,
    struct str reason, struct fail *fail) MUST_CHECK;

/* A row by hand, with the next number; *ret_row. Fields follow by desk_set. */
enum err desk_add_row(
    const struct desk *desk, struct str filing_id, int page, int *ret_row,
    struct fail *fail) MUST_CHECK;

/* Takes a row out; it stays on record. */
enum err desk_delete_row(
    const struct desk *desk, struct str filing_id, int row, struct str reason,
    struct fail *fail) MUST_CHECK;

/* A member by slug or id. The printed name is remembered for documents to come: `alias` is its
 * folded form (people/filer.h), null where none is printed. */
enum err desk_set_filer(
    const struct desk *desk, struct str filing_id, struct str member, struct str alias,
    struct fail *fail) MUST_CHECK;

/* A draft of a paper that has no file; filing date, address and filer that are not given are those
 * of its index. ERR_EXISTS: there is a draft of it. */
enum err desk_new(const struct desk *desk, const struct draft_new *draft, struct fail *fail)
    MUST_CHECK;

/* A draft with its rows and what publishing would do now; in the arena. Reads only. */
struct desk_view {
    struct draft draft;
    struct draft_row_list rows;
    struct difference difference;
};

enum err desk_show(
    struct db *db, struct str filing_id, struct arena *arena, struct desk_view *ret,
    struct fail *fail) MUST_CHECK;
