/*
 * What the tools that look through the feed have in common: pages of 100 of the newest trades, one
 * after the other, up to as many as the caller allows (spec 8.8).
 */
#pragma once

#include "mcp/call.h"

struct feed_scan {
    int64_t pages_max;
    int64_t pages, trades;  /* seen so far */
    struct buf next_cursor; /* where the next page begins; empty: there is none */
};

void feed_scan_init(struct feed_scan *s, int64_t pages_max, struct str cursor); /* null: newest */
void feed_scan_finish(struct feed_scan *s);

void feed_scan_ask(struct feed_scan *s, struct call *call); /* the next page; a tool's last step */

typedef void feed_scan_trade(void *state, const json_t *trade); /* an object */

/* Takes in a page: hands its trades to `take` with the call's state, counts them, keeps where the
 * next page begins, tells of the progress. */
void feed_scan_take(
    struct feed_scan *s, struct call *call, const struct api_answer *page, feed_scan_trade *take);

bool feed_scan_may_go_on(
    const struct feed_scan *s); /* there is a next page, and leave to read it */
