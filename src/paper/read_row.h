/*
 * Interprets the cells of one row (decisions 11 to 14): fields for the draft, with a reason for
 * every doubt. It never guesses: a ticker is set only if the document states one, in its own column
 * or in the asset's name (paper/cell/printed_symbol.h), and is null otherwise. Pure; uses the
 * tables of paper/cell/printed.h.
 */
#pragma once

#include "paper/cell/printed_symbol.h"
#include "paper/reading.h"
#include "rule/draft.h"

enum { READ_ROW_DOUBTS_MAX = 32 };

struct read_row {
    struct draft_row row; /* `printed` is set; strings live in the arena */
    enum reading_status status;
    struct str doubts[READ_ROW_DOUBTS_MAX]; /* codes, some with a detail: "exact_amount: $5,000" */
    size_t doubt_count;
    struct str held; /* why the row cannot be published (decision 14); null: it can */
};

/* What is known of symbols in normal form. */
struct read_row_symbols {
    bool (*known)(void *ctx, struct str symbol); /* on any day; NULL: skip that check */
    printed_symbol_company *company;
    void *ctx;
};

/* `symbols` may be NULL: then no symbol is compared, and none is looked for in names. `filed_day`
 * is a day in Washington; DAY_NONE: not known. */
void read_row(
    enum reading_kind kind, const struct reading_row *cells, int32_t filed_day,
    const struct read_row_symbols *symbols, struct arena *arena, struct read_row *ret);
