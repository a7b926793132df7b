/*
 * Counts flagged trades and their members for each committee and industry. A trade counts once for
 * each committee of its signal; subcommittees count for their committee. Private to src/site/data.
 */
#pragma once

#include "feed/feed.h"
#include "feed/topics.h"
#include "market/industry.h"

struct conflict_cell {
    int64_t trades, members;
    int64_t later; /* of the trades: by a list later than the trade */
};

struct conflict_counts {
    uint32_t committees;         /* those with a lower number are counted */
    struct conflict_cell *cells; /* in the arena; see conflict_counts_of */
    struct conflict_cell chosen; /* of the choice */
};

/* Counts the signals of a filter. Call it inside a read of the feed. */
void conflict_counts_make(
    const struct feed *feed, const struct feed_filter *filter, const struct topic_choice *choice,
    struct arena *arena, struct conflict_counts *ret);

enum { CONFLICT_ALL = -1 };

/* Of the committee with this number (CONFLICT_ALL: all together) and the industry (0: all
 * together). */
static inline struct conflict_cell *conflict_counts_of(
    const struct conflict_counts *counts, int64_t committee, int industry)
{
    return &counts->cells[(committee + 1) * (INDUSTRY_COUNT + 1) + industry];
}
