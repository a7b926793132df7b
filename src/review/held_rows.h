/*
 * How many rows of a public filing are held back: what a trade needs is not stated. The number is
 * the one of a publication, as the history of the draft has it. An open draft does not change it.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"

struct db;

/* Before before_ms (INT64_MAX: now), as a reader sees it who sees the trades disclosed before that
 * instant. A publication without new trades is seen at once, unless one with new trades that is not
 * seen precedes it. So the number changes when trades become visible, or with a change notice. A
 * filing without a draft has none. */
enum err held_rows_count(
    struct db *db, struct str filing_id, int64_t before_ms, int64_t *ret,
    struct fail *fail) MUST_CHECK;
