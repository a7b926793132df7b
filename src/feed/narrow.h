/*
 * Filters of trades that have no posting list: each row of the walk is looked at, at most
 * FEED_EXAMINED_MAX of them for a page (decision 41). What they need of a row stands beside its
 * JSON.
 */
#pragma once

#include "feed/edition.h"
#include "feed/feed_narrow.h"

/* The wishes, with the edition's own numbers in place of names. */
struct narrow {
    const struct feed_narrow *wish;
    uint32_t party; /* 0: any */
};

/* False: no trade of this edition can have it. `wish` must outlive *ret. */
bool narrow_init(struct narrow *ret, const struct edition *e, const struct feed_narrow *wish);

bool narrow_matches(const struct narrow *n, const struct series_facts *facts, uint32_t tail);
