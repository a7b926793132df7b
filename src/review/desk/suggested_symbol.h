/*
 * Symbols that the reader of a document suggests: the name of the asset has one that was not taken
 * (paper/cell/printed_symbol.h). A reviewer takes all of a draft at once whose company has a like
 * name.
 */
#pragma once

#include "review/desk/desk.h"

/* The doubts of a row without the suggestion, after a person has decided about its symbol; in the
 * arena. */
struct str suggested_symbol_settle(struct str doubts, struct arena *arena);

/* How many of the rows' suggestions agree: the asset's name has a telling word of the name of the
 * company that had the symbol on the day of the trade. */
size_t suggested_symbols_count(const struct draft_row_list *rows, struct arena *arena);

struct suggested_taken {
    size_t taken;
    size_t left; /* suggestions that do not agree */
};

/* Sets the symbol of each row whose suggestion agrees, with a line of history for each; claims the
 * draft. */
enum err suggested_symbols_take(
    const struct desk *desk, struct str filing_id, struct suggested_taken *ret, struct fail *fail);
