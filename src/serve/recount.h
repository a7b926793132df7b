/*
 * Counts the doubts of scans in the reviewers' queue again, after the start of a server: earlier
 * versions counted fewer (store/desk/draft_tally.h). It runs in the lowest class of the writer, a
 * few drafts in each transaction, and writes only what is wrong.
 */
#pragma once

#include "db/writer.h"

struct recount {
    struct writer *writer;
    int64_t after; /* drafts up to this number are right */
    bool more;
};

/* Returns at once. `r` and the writer are borrowed until writer_stop, which ends the work. */
void recount_start(struct recount *r, struct writer *writer);
