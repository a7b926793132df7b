/*
 * Keys that were purged once and are purged a second time, PURGE_AGAIN_MS later: a reply that the
 * server, or another node that is behind, wrote before the change can reach the cache after the
 * first purge. Each key waits at least that long after its own first purge, and under steady
 * changes at most about twice as long.
 *
 * Private to src/purge.
 */
#pragma once

#include "purge/keys.h"

enum { PURGE_AGAIN_MS = 5000 };

struct purge_again {
    struct purge_keys due, later; /* `later` collects until `due` is sent, and takes its place */
    int64_t due_ms, later_ms;     /* monotonic: when the delay of the last key is over */
};

void purge_again_init(struct purge_again *again);
void purge_again_finish(struct purge_again *again);

/* The first purge of these keys, with spaces between them, succeeded. */
void purge_again_add(struct purge_again *again, struct str batch, int64_t now_ms);

/* Moves the next keys whose delay is over, at most a batch, to `batch`. False: there are none. */
bool purge_again_take(struct purge_again *again, int64_t now_ms, struct buf *batch);

/* Takes a batch back whose second purge failed. */
void purge_again_return(struct purge_again *again, struct str batch);
