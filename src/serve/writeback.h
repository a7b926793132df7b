/*
 * Writes the counts that are kept in memory to the store: month counts and the last use of keys
 * every 500 ms, daily counts and errors of keys every second, and all once more at the stop. A
 * clean stop loses nothing, kill -9 at most the last second of draws (decision 26) and the last two
 * of daily counts. At the start and each hour it also deletes old change notices and heartbeats:
 * the job "prune". After a lost connection to Redis it reads the month counts of all servers.
 */
#pragma once

#include <stdatomic.h>

#include "access/access.h"
#include "db/writer.h"
#include "limits/limits.h"

struct writeback {
    struct limits *limits;
    struct access *access;
    struct writer *writer;
    unsigned writes;         /* on the writer's thread */
    int64_t pruned_at_ms;    /* monotonic; used by writeback_tick only */
    _Atomic bool waiting;    /* a posted write is not done yet */
    _Atomic bool failing;    /* the last write failed; logged once */
    _Atomic bool load_again; /* the months were to be loaded, and could not be */
};

void writeback_init(
    struct writeback *w, struct limits *limits, struct access *access, struct writer *writer);

/* Posts a write unless one is waiting, and at first and each hour a deletion. Call it on one thread
 * only. */
void writeback_tick(struct writeback *w);

/* Writes all counts that are not written yet, and waits for the commit. */
enum err writeback_all(struct writeback *w, struct fail *fail);
