/*
 * Which pages change for visitors, as surrogate keys, from the feed (docs/operate.md, "A cache in
 * front"). Visitors see publications later, and everything else at once.
 *
 * Private to src/purge.
 */
#pragma once

#include "db/db.h"
#include "feed/feed.h"
#include "purge/keys.h"

/* Adds the keys of what a change notice is about, as the feed shows it. Call it before the feed
 * applies the notice and after it: a correction can move a trade from one symbol to another. */
void changed_by_notice(
    const struct feed *feed, struct db *db, struct str noun, struct str key,
    struct purge_keys *keys);

/* Adds the keys of what was published at `since_ms` or later, and before `until_ms`. */
void changed_between(
    const struct feed *feed, int64_t since_ms, int64_t until_ms, struct purge_keys *keys);
