/*
 * Symbols that a reviewer can take, for rows without one.
 *
 * A symbol that the name of the asset has and that was not taken (paper/cell/printed_symbol.h)
 * becomes the ticker, if its company has a like name. A symbol that is not printed becomes
 * `company` of the trade's source: of the company that has exactly that name in the lists of the
 * trade's day, or that the member's public trades of that name have. A reviewer takes all of a
 * draft at once.
 */
#pragma once

#include "market/company.h"
#include "review/desk/desk.h"

/* The doubts of a row without the suggestion, after a person has decided about its symbol; in the
 * arena. */
struct str suggested_symbol_settle(struct str doubts, struct arena *arena);

/* How many suggestions can be taken: symbols that agree, since the asset's name has a telling word
 * of the name of the company that had the symbol on the day of the trade, and companies. */
size_t suggested_symbols_count(const struct desk_view *view, struct arena *arena);

/* What the name of a row's asset says, for a row without a symbol. */
struct suggested_company {
    int row;                /* 0: nothing */
    bool several;           /* no single company */
    bool from_own;          /* from the member's public trades */
    struct company company; /* unless there are several */
    enum asset_type type;   /* for a row without one */
};

/* The company of a symbol on that day, by the lists of the program and imported ones.
 * ERR_NOT_FOUND: none. In the arena. */
enum err suggested_company_on(
    struct db *db, struct str symbol, int32_t day, struct arena *arena, struct company *ret,
    struct fail *fail);

/* Of each row, in the order of `rows`; in the arena. */
enum err suggested_companies(
    struct db *db, const struct draft *draft, const struct draft_row_list *rows,
    struct arena *arena, struct suggested_company **ret, struct fail *fail);
/* That of a row of the view; NULL: none. */
const struct suggested_company *suggested_company_of(const struct desk_view *view, int row);

/* "AAPL, Apple Inc., by the lists of the day" */
struct str suggested_company_words(const struct suggested_company *is, struct arena *arena);

struct suggested_taken {
    size_t taken;     /* symbols */
    size_t confirmed; /* companies */
    size_t left;      /* suggestions that do not agree, and names of several companies */
};

/* Sets the symbol of each row whose suggestion agrees, or its company and a missing type, with
 * lines of history; claims the draft. `row` 0: of all. */
enum err suggested_symbols_take(
    const struct desk *desk, struct str filing_id, int row, struct suggested_taken *ret,
    struct fail *fail);
