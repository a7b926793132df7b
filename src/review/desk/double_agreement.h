/* Counts how often two entries of paper filings agreed, by field, over all drafts. */
#pragma once

#include "review/desk/blind.h"
#include "store/desk/second_entry.h"

enum { DOUBLE_FIELD_COUNT = BLIND_FIELD_COUNT + 2 }; /* with "row" and "rows" */

struct double_agreement {
    int64_t of[DOUBLE_FIELD_COUNT][ENTRY_OUTCOME_COUNT];
};

struct str double_entry_field_name(size_t field);
struct str double_entry_field_words(struct str field); /* "Trade date", "Number of rows" */

/* Decided differences, and waiting ones. */
int64_t double_entry_differed(const int64_t of[static ENTRY_OUTCOME_COUNT]);

enum err double_entry_agreement(struct db *db, struct double_agreement *ret, struct fail *fail);
