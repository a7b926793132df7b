/* The root that readers start from, for the feed's own files. */
#pragma once

#include "feed/edition.h"
#include "feed/feed.h"

struct feed {
    _Atomic(struct edition *) edition;
    _Atomic int64_t loads;
};

/* The edition that is changed in place. */
struct edition *feed_edition(struct feed *feed);

/* Publishes the filled edition and waits for readers; the old edition is freed on return. */
void feed_swap(struct feed *feed, struct edition *fresh);
