/* Loads the feed if it fits into memory, and says how far it is: in the log, and to systemd. */
#pragma once

#include "base/memory_file.h"
#include "db/db.h"
#include "feed/feed.h"

enum {
    LOADING_TRADE_BYTES = 800,       /* bench/README.md: 797 with a million trades */
    LOADING_OTHER_BYTES = 128 << 20, /* the program, its threads, and what only the load needs */
};

/* Opens the database and migrates it, which the log and systemd are told. */
enum err loading_open(struct str url, struct db **ret, struct fail *fail);

/* What a server with so many trades needs. */
static inline int64_t loading_bytes(int64_t trades)
{
    return LOADING_OTHER_BYTES + trades * LOADING_TRADE_BYTES;
}

/* feed_load. ERR_INVALID: they do not fit, and nothing was loaded. */
enum err loading_run(
    struct feed *feed, struct db *db, const struct memory_room *room, int64_t *ret_seq,
    struct fail *fail);
