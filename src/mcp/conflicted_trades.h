/*
 * get_conflicted_trades (spec 4.6): the trades with a conflict signal among those of the next pages
 * of the feed. Its cursor is the feed's own, behind the last page that was looked through, so that
 * going on skips and repeats nothing.
 */
#pragma once

#include "mcp/call.h"

enum { CONFLICTED_PAGES_DEFAULT = 3, CONFLICTED_PAGES_MAX = 5 };

/* No further page is read once there are so many, so that an answer stays of a size that a model
 * can take: at most this and one page more. */
enum { CONFLICTED_ENOUGH = 100 };

void conflicted_trades_start(struct call *call);
void conflicted_trades_answered(struct call *call, const struct api_answer *page);
void conflicted_trades_end(struct call *call, struct str cut_short); /* why; null: it was not */
void conflicted_trades_finish(void *state);
