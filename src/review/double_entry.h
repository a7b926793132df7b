/*
 * Two people type a paper filing (docs/adr/0035-double-entry.md). The first enters it beside the
 * picture and accepts it. A second types the fields that matter without seeing the draft
 * (review/blind.h), row by row, and counts the rows of the pages. If both agree, the draft is
 * accepted. A third decides about each difference.
 *
 * What was typed stays if the first person changes the draft afterwards, and is compared with the
 * new values at the next acceptance: it was read from the page, not from the draft. What a person
 * typed is dropped if that person becomes the first.
 *
 * Each action is one transaction, or a part of its caller's, and holds the draft like an edit.
 */
#pragma once

#include "review/blind.h"
#include "review/desk.h"
#include "store/second_entry.h"

/* The person's part in a draft that waits for a second or third person. */
enum double_role {
    DOUBLE_NO_ROLE, /* the draft waits for neither */
    DOUBLE_FIRST,   /* has entered a part of it or seen it, and waits for the others */
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
    struct fail *fail) MUST_CHECK;

enum err double_entry_role(
    struct db *db, const struct draft *draft, struct str by, enum double_role *ret,
    struct fail *fail) MUST_CHECK;

/* The person may not see the draft: somebody has begun to enter it, it is not accepted yet or was
 * rejected, and this person has entered nothing and has not taken it over, so may still type it. */
enum err double_entry_hides(
    struct db *db, const struct draft *draft, struct str by, bool *ret,
    struct fail *fail) MUST_CHECK;

/* The row is typed, also as one that the page does not have. */
bool double_entry_is_typed(const struct double_view *view, int row);

/* Stores a row as the second person typed it; `typed` NULL: the page has no such row. The last
 * text of a row counts. ERR_REFUSED: the person entered or saw the draft, or decided about it, or
 * it waits for no second person. *ret as in double_entry_finish. */
enum err double_entry_type(
    const struct desk *desk, struct str filing_id, int row, const struct blind_row *typed,
    enum draft_entry *ret, struct fail *fail) MUST_CHECK;

/* The second person counts `rows` rows on the pages: best before typing, because the rows to type
 * show how many the draft has. If all are typed, the entries are compared. *ret: DRAFT_ENTRY_SECOND
 * (a row is missing), DRAFT_ENTRY_TWICE (the draft is accepted) or DRAFT_ENTRY_THIRD. ERR_REFUSED:
 * an obstacle (review/obstacle.h). */
enum err double_entry_count(
    const struct desk *desk, struct str filing_id, int rows, enum draft_entry *ret,
    struct fail *fail) MUST_CHECK;

/* The third person's decision: the text that the page shows. For "row" it is "yes" or "no", and
 * "no" deletes the row; for "rows" a number. Nothing, for an asset, transaction or amount, holds
 * the row. If the number is not that of the draft, the draft goes back to the first person (*ret:
 * DRAFT_ENTRY_NONE). The last decision accepts the draft. ERR_REFUSED: the person typed one of the
 * two, or saw the draft. ERR_NOT_FOUND: no such difference. */
enum err double_entry_decide(
    const struct desk *desk, struct str filing_id, int row, struct str field, struct str value,
    enum draft_entry *ret, struct fail *fail) MUST_CHECK;

/* Takes the draft over as its first person, who may see it: a second person must type it then, and
 * a third decide. */
enum err double_entry_take_over(const struct desk *desk, struct str filing_id, struct fail *fail)
    MUST_CHECK;
