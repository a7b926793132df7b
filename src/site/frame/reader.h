/*
 * Decides which published data a visitor sees (decisions 38 and 42). Visitors without an account,
 * and accounts of the Scout plan, see trades and filings some hours after their publication
 * (STOCKACT_VISITOR_DELAY); all other plans, reviewers and admins see them at once. Corrections and
 * withdrawals of what a visitor sees are never delayed.
 *
 * Private to src/site.
 */
#pragma once

#include "site/frame/page_call.h"

/* The exclusive upper bound of disclosedAt, as feed_filter.line_ms; INSTANT_NONE: none. */
int64_t reader_until(const struct page_call *call);
/* The same for visitors without an account, whoever asks. */
int64_t reader_until_visitors(const struct page_call *call);
/* reader_until for queries of the store: INT64_MAX: none. */
int64_t reader_before(const struct page_call *call);

/* When the newest trade that the visitor sees was published; INSTANT_NONE: there is none. */
int64_t reader_newest(const struct page_call *call);

/* Whether the visitor may see what was published at that instant. */
bool reader_sees(const struct page_call *call, int64_t disclosed_at);

/* 404 for `what` ("trade") that was published at that instant and that the visitor does not see
 * yet: says when it appears. It is not a secret: the API has it. */
void reader_answer_delayed(struct page_call *call, const char *what, int64_t disclosed_at);

/* 410 for `what` that was withdrawn: says when and why. */
void reader_answer_withdrawn(
    struct page_call *call, const char *what, int64_t withdrawn_at, struct str reason);

/* How many rows the visitor's files of CSV may have: no bound with a plan that has downloads,
 * READER_OPEN_ROWS for everybody if the data is open; else 0. */
enum { READER_OPEN_ROWS = 100000 };
int64_t reader_csv_rows(const struct page_call *call);

/* "48 hours": how long the visitor waits. */
struct str reader_words_delay(const struct page_call *call);

/* Sets `delay` of the view, for the partial `delay`: hours, oneHour, plan (null: no account), and
 * withheld: how many trades of the filter the visitor does not see yet (withheld, one), and when
 * the first appears (null: none of them; filings only); or null, if the visitor sees all trades and
 * filings that the filter chooses. NULL is all of them, without their number: the frame of a page
 * of data does so, unless the handler called it. */
void reader_delay_put(struct page_call *call, const struct feed_filter *filter);

/* The sentence of an empty list of the trades that the filter chooses: how many the visitor does
 * not see yet, and when the first appears; or else `otherwise`. Inside a read of the feed. */
const char *reader_empty(
    struct page_call *call, const struct feed_filter *filter, const char *otherwise);
