/* What is public that a draft is held against: the trades of its own filing, of the report that it
 * repeats, and of the member where rows are marked as amended or deleted, or name a trade. */
#pragma once

#include "review/difference.h"
#include "store/draft.h"

struct standing {
    struct difference_against against;
    struct str amends; /* the latest filing that the draft repeats; null: none */
};

/* In the arena. */
enum err standing_load(
    struct db *db, const struct draft *draft, const struct draft_row_list *rows,
    struct arena *arena, struct standing *ret, struct fail *fail) MUST_CHECK;

/* Rows and what is public, compared: draft->is.amends is filled in where the program knows it. */
enum err standing_compare(
    struct db *db, struct draft *draft, struct arena *arena, struct draft_row_list *ret_rows,
    struct difference *ret, struct fail *fail) MUST_CHECK;

/* The difference as text, in the arena (difference_put). */
struct str standing_text(const struct difference *difference, struct arena *arena);
