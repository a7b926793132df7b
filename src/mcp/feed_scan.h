/*
 * A scan of the feed or of a part of it: reads pages of up to 100 trades, newest first, up to the
 * maximum that the caller gives (spec 8.8).
 */
#pragma once

#include "mcp/call.h"

struct feed_scan {
    int64_t pages_max;
    int64_t pages, trades;  /* read so far */
    struct buf query;       /* the same for each page: "?limit=100" and perhaps filters */
    struct buf next_cursor; /* empty: there is no next page */
};

/* Its query is empty: the tool writes it. `cursor` null: from the newest. */
void feed_scan_init(struct feed_scan *s, int64_t pages_max, struct str cursor);
void feed_scan_finish(struct feed_scan *s);

/* Requests the next page. The tool must return right after this. */
void feed_scan_ask(struct feed_scan *s, struct call *call);

typedef void feed_scan_trade(void *state, const struct api_item *trade);

/* Handles a page: calls fn with the call's state and each trade, keeps the next cursor and reports
 * progress. */
void feed_scan_take(
    struct feed_scan *s, struct call *call, const struct api_answer *page, feed_scan_trade *fn);

/* True if there is a next page and the maximum is not reached. */
bool feed_scan_may_go_on(const struct feed_scan *s);
