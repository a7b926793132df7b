/* The root that readers start from, and what pages share, for the feed's own files. */
#pragma once

#include "feed/edition.h"
#include "feed/feed.h"

struct feed {
    _Atomic(struct edition *) edition;
    _Atomic int64_t loads;
    _Atomic uint64_t version;
    feed_damage_fn *damage; /* NULL: nobody asks */
    void *damage_ctx;
    feed_load_fn *load; /* the same */
    void *load_ctx;
};

/* The edition that a reader reads. */
static inline const struct edition *feed_read(const struct feed *feed)
{
    return atomic_load_explicit(&feed->edition, memory_order_acquire);
}

static inline struct feed_row feed_row_of(
    const struct edition *e, const struct series_record *record, uint32_t tail_number,
    int64_t line_ms)
{
    const struct tail *tail = tails_get(&e->tails, tail_number);
    return (struct feed_row){
        .head = series_record_json(record),
        .details = series_record_details(record),
        .cap_gains = (enum cap_gains)record->facts.cap_gains,
        .tail = tail->json,
        .tag = record->tag ^ tail->tag,
        .traded = series_traded(&record->facts),
        .report = lateness_known(&record->facts.report, line_ms),
        .topic = tail->topic};
}

/* The edition that is changed in place. */
struct edition *feed_edition(struct feed *feed);

/* Readers can see a change. */
void feed_changed(struct feed *feed);

/* Reports damage and counts it in the edition. */
void feed_damaged(const struct feed *feed, struct edition *e, const struct feed_damage *damage);

/* Publishes the filled edition and waits for readers; the old edition is freed on return. */
void feed_swap(struct feed *feed, struct edition *fresh);
