/*
 * Filings in the feed by id: the place of each in the series of filings, and the places of its
 * trades. A filing's trades of one publication have neighbouring ids, so they are one run of
 * ordinals. Rows that are released later make another run. Withdrawn rows stay in their runs.
 */
#pragma once

#include <stdatomic.h>

#include "base/mem.h"
#include "base/rcu.h"

/* The ordinals from `first` to before `end`. */
struct filing_run {
    uint32_t first;
    _Atomic uint32_t end; /* grows while the filing is published, before readers see the rows */
};

struct filing_runs {
    uint32_t n;
    struct filing_run items[]; /* ascending */
};

enum { FILING_PLACE_NONE = UINT32_MAX };

struct filing_place {
    struct str id;
    _Atomic uint32_t ordinal;           /* in the series of filings, or FILING_PLACE_NONE */
    _Atomic(struct filing_runs *) runs; /* NULL: no trades */
};

struct filing_index {
    struct rcumap *by_id;
    struct filing_place *last; /* writer only: trades come filing by filing */
    struct arena arena;        /* the places and their ids */
    struct rcu_retired *retired;
};

void filing_index_init(struct filing_index *d, struct rcu_retired *retired);
void filing_index_finish(struct filing_index *d);

/* Readers and writer; NULL: unknown. */
const struct filing_place *filing_index_find(const struct filing_index *d, struct str id);

/* Writer only. */
void filing_index_put(struct filing_index *d, struct str id, uint32_t ordinal);
/* The ordinal is above all others. A null id is ignored. */
void filing_index_add_trade(struct filing_index *d, struct str filing_id, uint32_t ordinal);
