/*
 * A filing as members of a view: for lists, for the front page, and for its own page. Private to
 * src/site.
 */
#pragma once

#include "feed/feed.h"
#include "site/frame/page_call.h"

/* The heading of a filing. */
struct filing_seen {
    struct str name; /* of the filer, in the arena of the call; null: not known */
    int64_t trades;  /* that the visitor sees */
    int32_t filed;   /* the day in Washington */
};

/* Sets the members of one filing, and returns some of them:
 *
 *     id, href                    /filings/{id}
 *     chamber, chamberText, sourceDocId
 *     url                         the official document
 *     filedOn                     the day in Washington
 *     publishedAt, publishedAtText, publishedOn
 *     politician                  as in site/frame/trade_view.h; null: not known
 *     trades, tradesText, anyTrade, oneTrade, flagged, flaggedText, late, lateText    what the
 * visitor sees symbols                     the first few: symbol, href moreSymbols there are others
 *
 * Adds the surrogate keys of the filing and its politician. Call it inside a read of the feed. */
struct filing_seen filing_view_put(
    struct page_call *call, struct view *row, const struct feed_row *filing);

/* Replies why the feed does not have the filing, or why this visitor does not see it yet.
 * ERR_NOT_FOUND: there is no such filing. */
enum err filing_answer_absent(struct page_call *call, struct str id, struct fail *fail);
