/*
 * Fields that a second person typed without seeing the draft, and how each compared with it
 * (docs/adr/0035-double-entry.md). review/desk/double_entry.h has the rules.
 *
 * Functions that write are called inside a write transaction.
 */
#pragma once

#include "base/instant.h"
#include "db/db.h"

enum entry_outcome {
    ENTRY_NOT_COMPARED,
    ENTRY_AGREED,
    ENTRY_DIFFERS, /* waits for a decision */
    ENTRY_FIRST,   /* decided: as the first person has it */
    ENTRY_SECOND,
    ENTRY_NEITHER,
    ENTRY_OUTCOME_COUNT
};

struct entry_item {
    int row; /* 0: the filing */
    struct str field;
    struct str typed;         /* null: the page does not state it, or it was not typed */
    struct str by;            /* who typed it; null: it was not typed */
    int64_t at;               /* INSTANT_NONE */
    struct str first, second; /* the texts at the first comparison; null: not stated */
    enum entry_outcome outcome;
    struct str settled; /* the draft's text that a decision settled on; null */
    struct str decided_by;
    int64_t decided_at; /* INSTANT_NONE */
};

struct entry_list {
    struct entry_item *items; /* by row and field */
    size_t count;
};

enum err second_entry_load(
    struct db *db, int64_t draft_no, struct arena *arena, struct entry_list *ret,
    struct fail *fail);

/* Stores what was typed: row, field, typed, by and at. An earlier outcome stays. */
enum err second_entry_type(
    struct db *db, int64_t draft_no, const struct entry_item *item, struct fail *fail);

/* Stores the comparison: row, field and what follows `at`. */
enum err second_entry_judge(
    struct db *db, int64_t draft_no, const struct entry_item *item, struct fail *fail);

/* The row counts as not typed. Row 0: only the count of rows. */
enum err second_entry_forget_row(struct db *db, int64_t draft_no, int row, struct fail *fail);

/* Nothing that this person typed counts any more. */
enum err second_entry_forget_person(
    struct db *db, int64_t draft_no, struct str by, struct fail *fail);

/* Nothing that was typed counts any more: it was typed from another file. */
enum err second_entry_forget_all(struct db *db, int64_t draft_no, struct fail *fail);

/* How often each field had each outcome, over all drafts. `field` is valid during the call. */
typedef void entry_count_visit(
    void *ctx, struct str field, enum entry_outcome outcome, int64_t count);
enum err second_entry_count(struct db *db, entry_count_visit *visit, void *ctx, struct fail *fail);
