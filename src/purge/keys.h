/*
 * A set of surrogate keys: the names by which a cache in front of the server drops pages. It is
 * bounded: a set that would grow beyond PURGE_KEYS_BYTES becomes `all`, the key of every page.
 *
 * Private to src/purge.
 */
#pragma once

#include "base/buf.h"

enum {
    PURGE_KEYS_BYTES = 16 * 1024,
    PURGE_BATCH_KEYS = 64,   /* in one request: a cache looks for each of them in each page */
    PURGE_BATCH_BYTES = 4000 /* below the limit that caches have for a header */
};

struct purge_keys {
    struct buf text; /* " list-trades p-jane-example ": each key between spaces */
    bool all;
};

void purge_keys_init(struct purge_keys *keys);
void purge_keys_finish(struct purge_keys *keys);
void purge_keys_reset(struct purge_keys *keys);
bool purge_keys_any(const struct purge_keys *keys);

/* Adds "KIND-NAME". A name that cannot be part of a header adds `all`. */
void purge_keys_add(struct purge_keys *keys, const char *kind, struct str name);
void purge_keys_add_all(struct purge_keys *keys); /* replaces the others */
void purge_keys_merge(struct purge_keys *to, const struct purge_keys *from);

/* Moves the next keys, at most a batch, to `batch` with spaces between them. */
void purge_keys_take(struct purge_keys *keys, struct buf *batch);
/* Adds keys with spaces between them: a batch that goes back. */
void purge_keys_add_batch(struct purge_keys *keys, struct str batch);
