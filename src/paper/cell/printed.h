/*
 * The words that official forms print, as values of the model: asset codes and labels, amounts,
 * sides, owners, dates and symbols. One table each; a word that is not in its table is unknown, and
 * nothing is guessed.
 */
#pragma once

#include "paper/cell/cell.h"
#include "rule/date_doubt.h"
#include "rule/model.h"

/* decision 12: House codes ("ST", without brackets) and Senate labels ("Stock Option"). false: not
 * in the table. An empty text is ASSET_NONE: not stated. */
bool printed_asset_type(struct str text, enum asset_type *ret);

/* sources.md 3: one of the ten ranges, with any dash and spacing; "Over $1,000,000" only for spouse
 * and child, whom it is meant for; an exact amount from $1,001 ("$1,234.56") gets its bracket
 * (decision 14). BRACKET_NONE: anything else. */
enum bracket printed_amount(struct str text, enum owner owner);

/* True for one sum ("$770.32"), false for a range. */
bool printed_amount_is_exact(struct str text);

/* House: "P", "S", "S (partial)", "E"; Senate: "Purchase", "Sale (Full)", "Sale (Partial)",
 * "Exchange". SIDE_NONE: anything else. */
enum side printed_side(struct str text);

/* House: "SP", "JT", "DC"; Senate: "Self", "Spouse", "Joint", "Child", "Dependent Child". Empty is
 * OWNER_NONE: not stated. false: anything else. */
bool printed_owner(struct str text, enum owner *ret);

/* The box of a House row: "checked", "not checked". CAP_GAINS_NONE: anything else. */
enum cap_gains printed_cap_gains(struct str text);

/* MM/DD/YYYY, with or without leading zeros; false for an impossible date. */
bool printed_day(struct str text, int32_t *ret);

/* The filing time, in Washington time (decision 2): "01/29/2014 @ 6:23 PM", "01/10/2018 @ 1 PM". A
 * date alone counts as midnight. */
bool printed_filed(struct str text, int64_t *ret_ms);

/* True for an empty cell: "", `--` or `N/A`. */
bool printed_is_empty(struct str text);

/* The normal form of a symbol (ticker_normalize). The exchanges' 21-character notation of an option
 * gives the underlying (SPY160219P00180000 gives SPY, decision 13). Returns its length; 0: not a
 * symbol. */
size_t printed_ticker(struct str text, char ret[static TICKER_SIZE_MAX]);

/* The public doubts of a trade, in the order of their list, as a document with these cells prints
 * it; null cells if it prints none, or is not known. Returns their number. */
size_t printed_date_doubts(
    int32_t traded, int32_t notified, int32_t filed, const struct str cells[static CELL_COUNT],
    enum date_doubt ret[static DATE_DOUBT_PUBLIC_COUNT]);
