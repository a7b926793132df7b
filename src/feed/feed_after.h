/*
 * Trades after a position, oldest first, for readers that follow the feed. A publication is later
 * than every one before it, so a reader that continues from the last place meets each trade of a
 * later publication once, on any server and after a restart.
 *
 * It does not meet what changes before its place: corrections, withdrawals, reinstated trades,
 * changed signals, backfills.
 */
#pragma once

#include "feed/feed.h"

enum { FEED_AFTER_MAX = 32 };

struct feed_after {
    size_t count;
    bool more;           /* call again from `place`: not all rows were looked at */
    struct cursor place; /* all rows up to here were looked at; may be the given one */
    struct feed_row rows[FEED_AFTER_MAX];
    struct cursor places[FEED_AFTER_MAX]; /* of the rows */
};

/* The position after the newest trade and before the next publication, or before everything if
 * there is no trade. It is no trade's own, so a list that continues from it has the newest one. */
struct cursor feed_trades_end(const struct feed *feed);

/* The next trades after `place` that the filter keeps. A call looks at a bounded number of rows, so
 * it may find none with `more` set. 1 <= limit <= FEED_AFTER_MAX. Inside a read. */
void feed_trades_after(
    const struct feed *feed, const struct feed_filter *filter, const struct cursor *place,
    size_t limit, struct feed_after *ret);
