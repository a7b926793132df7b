/*
 * Reviewers' actions on drafts: claim, change, accept, reject, create by hand. Each action is one
 * transaction, or a part of its caller's, and ends with a line of history: who, when, old value,
 * new value, reason. Only the holder of a claim can change a draft, and every action renews the
 * claim.
 */
#pragma once

#include "review/obstacle.h"
#include "store/public/acceptance.h"

enum { DESK_CLAIM_MS = 30 * 60 * 1000 };

struct desk {
    struct db *db;
    struct str by; /* e-mail address */
    int64_t now_ms;
    bool batch_review;       /* batches are on (review/desk/batch.h) */
    bool second_reviewer;    /* a manual draft also needs a second person's acceptance */
    bool double_entry;       /* a second person types a manual draft: review/desk/double_entry.h */
    enum acceptance_way way; /* what counts as shown: review/desk/desk_act.c */
};

/* ERR_NOT_FOUND: no such draft. ERR_BUSY: another reviewer holds it; the error names the reviewer
 * and the end of the claim. ERR_REFUSED: not possible in the draft's state, which the error
 * names. */
enum err desk_claim(const struct desk *desk, struct str filing_id, struct fail *fail);

/* Accepts the content that desk_show returns now, and claims the draft. `despite` waives failed
 * checks by name, separated by commas, and needs a reason. ERR_REFUSED: an obstacle
 * (review/obstacle.h), or the same person accepted before. *ret_state: accepted, or draft if a
 * second person must accept too. */
enum err desk_accept(
    const struct desk *desk, struct str filing_id, struct str despite, struct str reason,
    enum draft_state *ret_state, struct fail *fail);

enum err desk_reject(
    const struct desk *desk, struct str filing_id, struct str reason, struct fail *fail);

/* Closes a draft whose document says that there is nothing to report. ERR_REFUSED: it has rows, or
 * is public. */
enum err desk_report_nothing(const struct desk *desk, struct str filing_id, struct fail *fail);

/* Sets a field of a row, by its name in paper/cell/row_field.h, "notifiedDate", "capGainsOver200",
 * "company" (the symbol of a row whose document prints none), "status" (new, amended,
 * deleted) or "trade" (the id of the trade that the row matches, "new", or empty to use the
 * program's match). Row 0 is the filing: "filed" (a date, or a Senate page's date and time) or
 * "url". A held row is released once no required field is missing. */
enum err desk_set(
    const struct desk *desk, struct str filing_id, int row, struct str field, struct str value,
    struct str reason, struct fail *fail);

/* Adds a row by hand with the next number, *ret_row. Set its fields with desk_set. */
enum err desk_add_row(
    const struct desk *desk, struct str filing_id, int page, int *ret_row, struct fail *fail);

/* Removes a row from publication; its record is kept. */
enum err desk_delete_row(
    const struct desk *desk, struct str filing_id, int row, struct str reason, struct fail *fail);

/* Publishes the row again with the others. ERR_EXISTS: it is not removed. */
enum err desk_restore_row(
    const struct desk *desk, struct str filing_id, int row, struct fail *fail);

/* Adds a row with the values of that row, for two trades that were read as one: *ret_row. Its
 * cells count as not printed. */
enum err desk_split_row(
    const struct desk *desk, struct str filing_id, int row, int *ret_row, struct fail *fail);

struct desk_filer {
    bool is_public; /* a public filing was given to another member (review/correct_filing.h) */
    size_t trades;  /* public trades that changed hands */
};

/* Sets the filer, a member by slug or id, and remembers the printed name for later documents.
 * `alias` is the folded form of that name (people/filer.h); null if none is printed. A public
 * filing moves to that member, with its trades; this needs a reason. ERR_EXISTS: it is already a
 * public filing of that member. ERR_REFUSED: the member had no term in the filing's chamber at that
 * time. */
enum err desk_set_filer(
    const struct desk *desk, struct str filing_id, struct str member, struct str alias,
    struct str reason, struct desk_filer *ret, struct fail *fail);

/* A draft for a paper filing without a file, for desk_new. `source_id` is the id of the document
 * (paper/paper_id.h). The id of the filing is in the arena. */
struct draft_new desk_paper(
    enum chamber chamber, struct str source_id, struct str url, int64_t filed_at,
    struct arena *arena);

/* Creates a draft for a paper filing without a file. A missing filing date, URL or filer comes from
 * its index. `filer` is the member for the later call of desk_set_filer, and is only checked here;
 * null: none. ERR_EXISTS: the filing already has a draft. ERR_NOT_FOUND, ERR_REFUSED: that member
 * cannot be the filer. */
enum err desk_new(
    const struct desk *desk, const struct draft_new *draft, struct str filer, struct fail *fail);

/* A draft with its rows and the effects of publishing it now; in the arena. Reads only. */
struct desk_view {
    struct draft draft;
    struct draft_row_list rows;
    struct difference difference;
    struct self_check checks[SELF_CHECKS_MAX]; /* as desk_accept judges them */
    size_t check_count;
    struct obstacle_list obstacles;
    int64_t public_filed_at; /* of the public filing; INSTANT_NONE: it is not public */
    /* Of each row; NULL unless the caller asked for them (review/desk/suggested_symbol.h). */
    struct suggested_company *companies;
};

enum err desk_show(
    struct db *db, struct str filing_id, struct arena *arena, struct desk_view *ret,
    struct fail *fail);
