/*
 * Merges the stored row of a symbol with the claims of the imported lists. Pure.
 *
 * The source text of a stored row names its list and, if that list has a word on the industry, the
 * basis: "S&P 500 list: Semiconductors", "Nasdaq list: a fund by its name", "SEC list of
 * companies". The next import uses it to rank the row against the lists.
 */
#pragma once

#include "conflict/tickers_read.h"
#include "store/public/ticker.h"

/* `stored` may be NULL. Strings are borrowed from both, or live in the arena. */
struct ticker tickers_merge(
    struct arena *arena, const struct ticker *stored, const struct tickers_entry *entry);
