/*
 * The rows that the indexed fields of a filter choose: the rows of one posting list or all rows,
 * between two ordinals, or those of one filing. For readers. Private to src/feed.
 */
#pragma once

#include "feed/edition.h"
#include "feed/filter.h"
#include "rule/cursor.h"

/* The rows of [low, high), of one posting list or of all. */
struct walk {
    struct series_view view;
    uint32_t low, high;
    int64_t line_ms; /* of the filter */
    bool listed;
    struct posting_view list; /* only when listed */
    bool conflicts_only;
    bool by_topic;                  /* with conflicts_only */
    struct topic_choice choice;     /* with by_topic */
    uint32_t *merged;               /* items of `list` of several politicians or tickers */
    const struct filing_runs *runs; /* of a filing: rows that are in `list` too; NULL: any rows */
};

/* Chooses the trades, without bounds; false: none can match, and only the view is set. walk_finish
 * frees what it holds. */
bool walk_trades(const struct edition *e, const struct feed_filter *filter, struct walk *ret);

static inline void walk_finish(struct walk *w)
{
    mem_free(w->merged);
}

/* The same for filings. */
bool walk_filings(
    const struct edition *e, struct str politician, enum chamber chamber, struct walk *ret);

/* Sets the bounds of a walk whose list is already chosen. */
void walk_between(struct walk *w, const struct cursor *after, int64_t since_ms, int64_t until_ms);

/* The rows of a walk with bounds, a chunk at a time, newest first. `first` is the chunk's first
 * ordinal. */
typedef void walk_chunk(void *ctx, uint32_t first, const struct slice_mask *rows);
void walk_chunks(const struct walk *w, walk_chunk *visit, void *ctx);

/* Whether the row is of the filing; true if the walk is not of one. */
bool walk_is_of_filing(const struct walk *w, uint32_t ordinal);

/* Whether a row with this tail has a signal as the filter asks for it; true if it asks for none. */
bool walk_keeps_tail(const struct walk *w, const struct edition *e, uint32_t tail);

/* Whether a list has the ordinal. */
bool walk_lists(const struct posting_view *list, uint32_t ordinal);

/* Whether the list has a visible trade below `high`. Reads rows only if the list has withdrawn
 * ones. */
bool walk_any_before(const struct series_view *v, const struct posting_view *list, uint32_t high);

/* The oldest and the newest visible trade of a list before `high`; false: none. */
bool walk_ends(
    const struct series_view *v, const struct posting_view *list, uint32_t high,
    uint32_t *ret_first, uint32_t *ret_last);

/* The number of trades that readers see before the instant; INSTANT_NONE: all. */
uint32_t walk_high(const struct series_view *v, int64_t until_ms);
