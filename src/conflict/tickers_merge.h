/*
 * What is stored of a symbol, and what lists say of it now, to what is stored from now on. Pure.
 *
 * The source text of a stored row names the list it is of and what its industry rests on, where the
 * list has a word on that: "S&P 500 list: Semiconductors", "Nasdaq list: a fund by its name", "SEC
 * list of companies". From it the next import knows what to weigh the row against.
 */
#pragma once

#include "conflict/tickers_read.h"
#include "store/ticker.h"

/* `stored` may be NULL. Strings are borrowed from both or in the arena. */
struct ticker tickers_merge(
    struct arena *arena, const struct ticker *stored, const struct tickers_entry *entry);
