/*
 * What official forms print, as values of the model: asset codes and labels, amounts, sides,
 * owners, dates and symbols. One table each; what is not in it is not known, and nothing is
 * guessed.
 */
#pragma once

#include "core/model.h"

/* decision 12: House codes ("ST", without brackets) and Senate labels ("Stock Option"). false: not
 * in the table. An empty text is ASSET_NONE: not stated. */
bool printed_asset_type(struct str text, enum asset_type *ret);

/* sources.md 3: one of the ten ranges, in either spelling of dash and spaces; "Over $1,000,000"
 * only for spouse and child, the one it is meant for; an exact amount of $1,001 and more
 * ("$1,234.56") goes to its bracket (decision 14). BRACKET_NONE: anything else. */
enum bracket printed_amount(struct str text, enum owner owner);

/* Whether it is one sum ("$770.32") rather than a range. */
bool printed_amount_is_exact(struct str text);

/* House: "P", "S", "S (partial)", "E"; Senate: "Purchase", "Sale (Full)", "Sale (Partial)",
 * "Exchange". SIDE_NONE: none of them. */
enum side printed_side(struct str text);

/* House: "SP", "JT", "DC"; Senate: "Self", "Spouse", "Joint", "Child", "Dependent Child". Empty is
 * OWNER_NONE: not stated. false: none of them. */
bool printed_owner(struct str text, enum owner *ret);

/* MM/DD/YYYY, zeros in front or not; false when it is no real date. */
bool printed_day(struct str text, int32_t *ret);

/* When a report was filed, in Washington time (decision 2): "01/29/2014 @ 6:23 PM", "01/10/2018 @ 1
 * PM", and a date alone, which counts as midnight. */
bool printed_filed(struct str text, int64_t *ret_ms);

/* Whether the cell says nothing: empty, `--` or `N/A`. */
bool printed_is_empty(struct str text);

/* The normal form of a symbol (ticker_normalize), of an option in the exchanges' 21-character
 * notation the underlying (SPY160219P00180000 gives SPY, decision 13). Returns its length; 0: no
 * symbol. */
size_t printed_ticker(struct str text, char ret[static TICKER_SIZE_MAX]);
