/*
 * Two people type a paper filing (docs/adr/0035-double-entry.md). The first person enters it beside
 * the picture and accepts it. A second person types the fields that matter without seeing the draft
 * (review/desk/blind.h), row by row, and counts the rows of the pages. If both agree, the draft is
 * accepted. Otherwise a third person decides each difference.
 *
 * If the first person changes the draft afterwards, the second entry stays, because it was read
 * from the page, and is compared with the new values at the next acceptance. If the second person
 * becomes the first, that entry is dropped.
 *
 * Each action is one transaction, or a part of its caller's, and claims the draft like an edit.
 */
#pragma once

#include "review/desk/blind.h"
#include "review/desk/desk.h"
#include "store/desk/second_entry.h"

/* The person's part in a draft that waits for a second or third person. */
enum double_role {
    DOUBLE_NO_ROLE, /* the draft waits for neither */
    DOUBLE_FIRST,   /* has entered or seen a part of the draft, and waits for the others */
    DOUBLE_SECOND,  /* types it, or has typed a part of it */
    DOUBLE_THIRD,   /* decides */
};

struct double_difference {
    int row;            /* 0: the filing */
    struct str field;   /* of blind_field_name; "row": is it on the page; "rows": how many are */
    struct str draft;   /* the text in the draft; null: not stated */
    struct str entered; /* as the second person typed it; null: not stated */
};

struct double_view {
    struct draft draft;
    struct draft_row_list rows; /* without removed ones, in the order of the pages */
    struct entry_list entry;
    size_t typed;                          /* rows that are typed */
    struct str counted;                    /* how many rows the second person counts; null */
    struct double_difference *differences; /* that wait for a decision */
    size_t difference_count;
};

/* Reads only; in the arena. */
enum err double_entry_show(
    struct db *db, struct str filing_id, struct arena *arena, struct double_view *ret,
    struct fail *fail);

enum err double_entry_role(
    struct db *db, const struct draft *draft, struct str by, enum double_role *ret,
    struct fail *fail);

/* The draft is hidden from the person, who may still type it: somebody else has begun to enter it,
 * it is not accepted or was rejected, and this person has neither entered a part nor taken it
 * over. */
enum err double_entry_hides(
    struct db *db, const struct draft *draft, struct str by, bool *ret, struct fail *fail);

/* The second person has typed the row, or marked it as not on the page. */
bool double_entry_is_typed(const struct double_view *view, int row);

/* Stores a row that the second person typed; `typed` NULL: the page has no such row. A later text
 * replaces an earlier one. ERR_REFUSED: the person entered or saw the draft or decided about it, or
 * the draft does not wait for a second person. *ret as in double_entry_finish. */
enum err double_entry_type(
    const struct desk *desk, struct str filing_id, int row, const struct blind_row *typed,
    enum draft_entry *ret, struct fail *fail);

/* Stores that the second person counts `rows` rows on the pages. Call it before typing, because the
 * list of rows to type reveals the number in the draft. If all rows are typed, compares the
 * entries. *ret: DRAFT_ENTRY_SECOND (a row is missing), DRAFT_ENTRY_TWICE (the draft is accepted)
 * or DRAFT_ENTRY_THIRD. ERR_REFUSED: an obstacle (review/obstacle.h). */
enum err double_entry_count(
    const struct desk *desk, struct str filing_id, int rows, enum draft_entry *ret,
    struct fail *fail);

/* Stores the third person's decision: the text on the page. For "row" it is "yes" or "no", and "no"
 * deletes the row; for "rows" it is a number. An empty asset, transaction or amount holds the row.
 * If the number differs from the draft's, the draft goes back to the first person (*ret:
 * DRAFT_ENTRY_NONE). The last decision accepts the draft. ERR_REFUSED: the person typed one of the
 * two texts, or saw the draft. ERR_NOT_FOUND: no such difference. */
enum err double_entry_decide(
    const struct desk *desk, struct str filing_id, int row, struct str field, struct str value,
    enum draft_entry *ret, struct fail *fail);

/* Makes the person the first person of the draft, who may see it. Then a second person must type
 * it, and a third decide. */
enum err double_entry_take_over(const struct desk *desk, struct str filing_id, struct fail *fail);

/* Counts how often two entries of paper filings agreed, by field, over all drafts. */

enum { DOUBLE_FIELD_COUNT = BLIND_FIELD_COUNT + 2 }; /* with "row" and "rows" */

struct double_agreement {
    int64_t of[DOUBLE_FIELD_COUNT][ENTRY_OUTCOME_COUNT];
};

struct str double_entry_field_name(size_t field);
struct str double_entry_field_words(struct str field); /* "Trade date", "Number of rows" */

/* Decided differences, and waiting ones. */
int64_t double_entry_differed(const int64_t of[static ENTRY_OUTCOME_COUNT]);

enum err double_entry_agreement(struct db *db, struct double_agreement *ret, struct fail *fail);
