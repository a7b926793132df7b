/*
 * The log of what changed after publication (decision 29): appended to, never altered; both
 * databases refuse UPDATE and DELETE on it.
 */
#pragma once

#include "base/instant.h"
#include "store/db.h"

enum correction_kind {
    CORRECTION_FIELD,     /* a published field changed */
    CORRECTION_WITHDRAWN, /* a trade left the lists */
    CORRECTION_BACKFILL,  /* bulk history arrived: callers that sync must reload */
    CORRECTION_KIND_COUNT
};

struct correction {
    int64_t no; /* set by reading */
    enum correction_kind kind;
    struct str trade_id; /* null: of no single trade */
    int64_t at;
    struct str field; /* null where the kind has none */
    struct str old;
    struct str new;
    struct str reason; /* null: none */
    struct str by;     /* e-mail address */
    /* backfill only */
    int64_t range_start;
    int64_t range_end;
    int64_t count;
};

enum err correction_add(struct db *db, const struct correction *correction, struct fail *fail)
    MUST_CHECK;

/* Newest first, at most `limit`, numbered below `before` (INT64_MAX: from the newest). Strings are
 * valid during the call. */
typedef void correction_visit(void *ctx, const struct correction *correction);
enum err correction_each(
    struct db *db, int64_t before, int64_t limit, correction_visit *visit, void *ctx,
    struct fail *fail) MUST_CHECK;
