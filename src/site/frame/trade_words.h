/* Words of closed lists (market/trade_words.h), and their values as choices of forms. Private to
 * src/site. */
#pragma once

#include "market/trade_words.h"
#include "noun/param.h"

/* A value of the list as the choice of a form says it: "Sold in part", "Municipal bond". */
struct str words_choice(const struct shape_list *list, int value, struct arena *arena);
