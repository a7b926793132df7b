/*
 * The runs of the job `purge`, by which `stockact status` and /admin show that a cache cannot be
 * purged. Only a change is recorded, not each request. Private to src/purge.
 */
#pragma once

#include <stdatomic.h>

#include "base/err.h"
#include "db/writer.h"

enum { RECORD_REASON_SIZE = 256 };

struct record {
    struct writer *writer;
    char *server;                    /* for people */
    char reason[RECORD_REASON_SIZE]; /* of a failure; "": it works. Not changed while `is_out` */
    _Atomic bool is_out;             /* the writer has it */
};

/* Posts the run. Does nothing while one is on its way: the caller tries again. True: posted. */
bool record_post(struct record *record, const char *reason);
