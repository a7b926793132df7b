/* Reports published rows that the database gives back otherwise than they were published: lines of
 * the log and counts for /metrics. */
#pragma once

#include <stdatomic.h>

#include "base/buf.h"
#include "db/db.h"
#include "feed/feed.h"

struct damage {
    const struct feed *feed;
    int64_t load;  /* the load that `lines` is about; used by the writer of the feed only */
    int64_t lines; /* logged in it */
    _Atomic int64_t chain_findings;
};

/* From now on each load of the feed logs the rows that it leaves out: the first ones by name, and
 * then that there are more. */
void damage_watch(struct damage *d, struct feed *feed);

/* Verifies the entries of the chain over publications since the last checkpoint, and logs each
 * finding. A finding does not stop the server: rows that match their digests are served. */
void damage_check_chain(struct damage *d, struct db *db);

void damage_put_metrics(const struct damage *d, struct buf *b);
