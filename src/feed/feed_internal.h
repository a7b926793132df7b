/* The root that readers start from, for the feed's own files. */
#pragma once

#include "feed/edition.h"
#include "feed/feed.h"

struct feed {
    _Atomic(struct edition *) edition;
    _Atomic int64_t loads;
    feed_damage_fn *damage; /* NULL: nobody asks */
    void *damage_ctx;
};

/* The edition that is changed in place. */
struct edition *feed_edition(struct feed *feed);

/* Reports damage and counts it in the edition. */
void feed_damaged(const struct feed *feed, struct edition *e, const struct feed_damage *damage);

/* Publishes the filled edition and waits for readers; the old edition is freed on return. */
void feed_swap(struct feed *feed, struct edition *fresh);
