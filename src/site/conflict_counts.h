/*
 * How many flagged trades, of how many members, there are for each committee and industry. A trade
 * counts once for each committee of its signal; subcommittees count for their committee. Private to
 * src/site.
 */
#pragma once

#include "conflict/topics.h"
#include "feed/feed.h"

struct conflict_cell {
    int64_t trades, members;
};

struct conflict_reasons;

/* What a page asks for. `committee` may be a subcommittee. */
struct conflict_choice {
    const struct topics *topics;
    int industry; /* 0: any */
    bool any_committee;
    uint32_t committee;               /* number, unless any; UINT32_MAX: no signal names it */
    struct conflict_reasons *reasons; /* made by conflict_counts_make */
};

/* For a feed_signal_test, after conflict_counts_make in the same read; ctx is a struct
 * conflict_choice. */
bool conflict_choice_keeps(void *ctx, struct feed_signal signal);

struct conflict_counts {
    int industries;              /* core/industry.h */
    struct conflict_cell *cells; /* in the arena; see conflict_counts_of */
    struct conflict_cell chosen; /* of the choice */
};

/* Counts the signals of a filter. Call it inside a read of the feed, with the topics open. */
void conflict_counts_make(
    const struct feed *feed, const struct feed_filter *filter, struct conflict_choice *choice,
    struct arena *arena, struct conflict_counts *ret);

enum { CONFLICT_ALL = -1 };

/* Of the committee with this number (CONFLICT_ALL: all together) and the industry (0: all
 * together). */
static inline struct conflict_cell *conflict_counts_of(
    const struct conflict_counts *counts, int64_t committee, int industry)
{
    return &counts->cells[(committee + 1) * (counts->industries + 1) + industry];
}
