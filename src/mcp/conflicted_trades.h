/*
 * get_conflicted_trades (spec 4.6): without filters, the trades with a conflict signal in the next
 * pages of the feed. With filters, or for everywhere, the API's index of all trades with a signal
 * is asked instead. In both cases the cursor is the feed's cursor after the last page that was
 * read, so continuing neither skips nor repeats a trade.
 */
#pragma once

#include "mcp/call.h"

enum { CONFLICTED_PAGES_DEFAULT = 3, CONFLICTED_PAGES_MAX = 5, CONFLICTED_ABOUT_MAX = 100 };

/* With this many trades a scan stops, or when the result is full. */
enum { CONFLICTED_ENOUGH = 100 };

void conflicted_trades_start(struct call *call);
void conflicted_trades_answered(struct call *call, const struct api_answer *page);
void conflicted_trades_end(
    struct call *call, struct str cut_short); /* the reason; null: it was not cut short */
void conflicted_trades_finish(void *state);
