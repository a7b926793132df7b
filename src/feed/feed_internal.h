/* The feed as its own files know it: the root that readers start from. */
#pragma once

#include "feed/edition.h"
#include "feed/feed.h"

struct feed {
    _Atomic(struct edition *) edition;
    _Atomic int64_t loads;
};

/* The edition to change in place. */
struct edition *feed_edition(struct feed *feed);

/* Makes the filled edition the feed's; the old one is gone when this returns. Waits for readers. */
void feed_swap(struct feed *feed, struct edition *fresh);
