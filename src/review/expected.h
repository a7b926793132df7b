/*
 * The changes that accepted drafts will make when they are published before another draft. With
 * them, an amendment can be compared with the future public data, and accepted before its original
 * is public. Private to src/review.
 */
#pragma once

#include "paper/cell/row_field.h"
#include "review/difference.h"
#include "store/desk/draft.h"

struct expected_change {
    enum difference_kind does; /* added, changed or removed */
    struct str trade_id;
    struct row_values values;
};

struct expected_draft {
    int64_t no;
    struct str filing_id, amends; /* amends: null */
    int amendment;
    struct str difference;
    struct expected_change *changes;
    size_t change_count;
};

struct expected_list {
    struct expected_draft *items; /* in the order in which they are published */
    size_t count;
};

/* The accepted drafts of the same member and chamber that are filed before `draft`; of the Senate,
 * only those of the same report with a lower number. In the arena. */
enum err expected_load(
    struct db *db, const struct draft *draft, struct arena *arena, struct expected_list *ret,
    struct fail *fail) MUST_CHECK;
