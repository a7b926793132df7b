/*
 * What is counted in memory goes to the store: month counts and the last use of keys, every 500 ms
 * through the writer and once more, whole, at the end (decision 26: a clean stop loses nothing,
 * kill -9 at most the last second). Also drops, now and then, rows that nobody needs any more.
 */
#pragma once

#include <stdatomic.h>

#include "access/access.h"
#include "limits/limits.h"
#include "store/db/writer.h"

struct writeback {
    struct limits *limits;
    struct access *access;
    struct writer *writer;
    int64_t tidied_at_ms; /* monotonic; the caller's thread's */
    _Atomic bool waiting; /* a write is posted and not done */
    _Atomic bool failing; /* the last one failed: said once */
};

void writeback_init(
    struct writeback *w, struct limits *limits, struct access *access, struct writer *writer);

/* Posts a write unless one is waiting, and at times a tidying. One thread. */
void writeback_tick(struct writeback *w);

/* Writes everything that is not written yet, and waits for it. */
enum err writeback_all(struct writeback *w, struct fail *fail) MUST_CHECK;
