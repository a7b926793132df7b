/*
 * Groups of the trades of a filter, and their sums (noun/group.h, docs/adr/0045-groups.md), from
 * the keys of the rows (series_key), which one pass reads in order. Up to 255 groups are summed on
 * a sheet each (group_sheets.h) in that pass. If there are more, a pass finds the page by the
 * column that it is ordered by, and another one sums the groups of the page. What a trade costs is
 * in bench/tables/stats.py.
 */
#pragma once

#include "feed/feed.h"
#include "noun/group.h"

struct feed_group_by {
    enum group_dimension by[GROUP_BY_MAX]; /* GROUP_NONE: fewer dimensions; none: only totals */
    int sort;                              /* of shape_group_sorts */
    bool ascending;
    size_t offset, limit; /* groups left out before the page; 1 to FEED_PAGE_MAX */
};

struct feed_groups {
    size_t count;
    bool more;
    struct trade_group groups[FEED_PAGE_MAX];
    struct group_columns totals; /* each trade once */
};

enum { FEED_GROUPS_MAX = 100000 };

/* A cursor is the number of groups before the page. */
struct cursor feed_groups_cursor(size_t offset);
size_t feed_groups_offset(const struct cursor *after); /* NULL: 0 */

/* The same question again costs microseconds. Sorted by the column; groups with equal values by
 * their newest trade, the newest first. Texts of *ret are in the arena. False: more than
 * FEED_GROUPS_MAX groups. */
bool feed_group(
    const struct feed *feed, const struct feed_filter *filter, const struct feed_group_by *query,
    struct arena *arena, struct feed_groups *ret);
