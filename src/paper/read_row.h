/*
 * Interprets the cells of one row (decisions 11 to 14): fields for the draft, with a reason for
 * every doubt. It never guesses: a ticker is set only if the document states one, and is null
 * otherwise. Pure; uses the tables of core/printed.h.
 */
#pragma once

#include "base/mem.h"
#include "core/draft.h"
#include "paper/reading.h"

enum { READ_ROW_DOUBTS_MAX = 10 };

struct read_row {
    struct draft_row row; /* `printed` is set; strings live in the arena */
    enum reading_status status;
    struct str doubts[READ_ROW_DOUBTS_MAX]; /* codes, some with a detail: "exact_amount: $5,000" */
    size_t doubt_count;
    struct str held; /* why the row cannot be published (decision 14); null: it can */
};

/* `known_ticker` reports whether a normalized symbol is in the ticker tables; NULL: skip that
 * check. `filed_day` is a day in Washington; DAY_NONE: not known. */
typedef bool read_row_known_ticker(void *ctx, struct str symbol);

void read_row(
    enum reading_kind kind, const struct reading_row *cells, int32_t filed_day,
    read_row_known_ticker *known_ticker, void *ctx, struct arena *arena, struct read_row *ret);
