/*
 * The industry behind a commodity future, an option on one, or a metal, by the words of its name:
 * "Call Nov 22 CBT Soybeans". data/commodity_words.csv has the words.
 */
#pragma once

#include "base/str.h"

/* 0: none, and *ret_why_not says why. Two industries, or a word of a rate, an index or a currency,
 * are none. `needs_exchange`: the name must also have the word of an exchange; without one
 * *ret_why_not is null. */
int commodity_of(struct str name, bool needs_exchange, struct str *ret_why_not);
