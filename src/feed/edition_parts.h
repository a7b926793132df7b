/* Shared by the files of the edition; only edition*.c include it. Writer only. */
#pragma once

#include "feed/edition.h"

enum {
    TICKERS_MAX = RENAMES_CHAIN_MAX,
    KEYS_MAX = 4 * (1 + TICKERS_MAX), /* politician or any, chamber or any, each ticker or any */
};

/* All posting lists of a trade. */
struct edition_places {
    posting_key keys[KEYS_MAX]; /* without conflict; keys[0] is the whole feed, which has no list */
    size_t key_count;
    struct symbol *symbols[TICKERS_MAX];
    size_t symbol_count;
    struct person *person;
};

void edition_places(
    struct edition *e, const struct series_facts *facts, struct edition_places *ret);

static inline posting_key edition_with_conflict(posting_key key)
{
    return key | posting_key_of(0, 0, CHAMBER_NONE, true);
}

/* postings_edit on the lists of trades. */
void edition_edit_trade_lists(struct edition *e, struct posting_edit *edits, size_t n);

/* Visible trades of the person in the symbol. */
uint32_t edition_trades_of_pair(
    const struct edition *e, const struct person *person, const struct symbol *symbol);

/* Counts the trade in all, for its person, its symbols and its tail, except in `politicians` of a
 * symbol. step: 1 or -1. */
void edition_tally(
    struct edition *e, const struct edition_places *places, const struct series_facts *facts,
    uint32_t tail, int step);

/* The record of a trade: a new one, or `old` if it is the same. `old` can be NULL. */
const struct series_record *edition_record(
    struct edition *e, const struct edition_trade *trade, const struct series_record *old);

/* The number of a politician's reason in the table of tails. */
static inline uint32_t edition_tail(struct edition *e, struct str reason, uint32_t politician)
{
    if (str_is_null(reason))
        return TAILS_NONE;
    series_changed(&e->trades);
    return tails_intern(&e->tails, reason, politician, topics_find(&e->topics, reason));
}

/* Frees retired memory in batches, because waiting for readers is expensive. */
void edition_settle(struct edition *e);
