/* Compares the second person's entry with the draft. Private to src/review/desk. */
#pragma once

#include "review/desk/blind.h"
#include "store/desk/draft_row.h"
#include "store/desk/second_entry.h"

extern const struct str double_field_row, double_field_rows;

struct entry_item *double_item(const struct entry_list *entry, int row, struct str field);

/* The typed row; blind_row_none if nothing was typed. */
struct blind_row double_typed(const struct entry_list *entry, int row, struct arena *arena);
struct blind_row double_stored(const struct draft_row_stored *row);

/* The second person has typed the row, or marked it as not on the page. */
bool double_is_typed(const struct entry_list *entry, int row);

/* The rows that are not removed, in the order of the pages. */
struct draft_row_list double_live_rows(const struct draft_row_list *rows, struct arena *arena);

/* Rows that the second person found on the page. */
size_t double_rows_found(const struct draft_row_list *live, const struct entry_list *entry);
