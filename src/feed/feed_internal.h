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

/* --- members and symbols by a count (feed_lists.c) */

struct ranked_item {
    int64_t value;
    uint32_t place; /* in the order of names */
};

struct ranked_list {
    const struct name_order *order;
    struct feed_rank rank;
    bool total; /* count all that the search finds */
    void (*count)(const void *item, void *ctx, struct feed_counts *ret); /* ctx of the search */
};

struct ranked_page {
    int64_t total;
    size_t count;
    struct ranked_item items[FEED_PAGE_MAX + 1];
};

/* The first `max` after a cursor that fits the rank. False: the order is that of names, and at most
 * the total is known. */
bool ranked_read(
    const struct ranked_list *list, const struct name_search *search, const struct cursor *after,
    size_t max, struct ranked_page *ret);
/* `by_name`: the cursor of the item in the order of names. */
struct cursor ranked_cursor(
    struct feed_rank rank, struct ranked_item item, const struct cursor *by_name);

/* The edition that is changed in place. */
struct edition *feed_edition(struct feed *feed);

/* Readers can see a change. */
void feed_changed(struct feed *feed);

/* Reports damage and counts it in the edition. */
void feed_damaged(const struct feed *feed, struct edition *e, const struct feed_damage *damage);

/* Publishes the filled edition and waits for readers; the old edition is freed on return. */
void feed_swap(struct feed *feed, struct edition *fresh);
