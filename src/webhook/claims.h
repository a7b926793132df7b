/*
 * Claims deliveries for this server: one claim at a time is out with the writer. The caller must
 * list the claimed deliveries as in hand before the next claim goes out, so that none is claimed
 * twice whatever the wall clock does to leases.
 */
#pragma once

#include "db/errand.h"
#include "webhook/bounds.h"

struct claims {
    struct str node; /* borrowed */
    int64_t after_endpoint;
    bool failing; /* was logged */

    /* Owned by the writer while the errand is out. */
    struct errand errand;
    size_t bodies_max;
    int64_t in_hand[IN_HAND_MAX]; /* sorted */
    size_t in_hand_count;
    struct arena arena; /* of the claimed rows, until the next claim goes out */
    struct delivery_claims found;
    int64_t ended_at_endpoint;
};

void claims_init(struct claims *claims, struct writer *writer, struct str node, uv_async_t *wake);
void claims_finish(struct claims *claims);

/* in_hand: numbers of deliveries, unsorted, fewer than IN_HAND_MAX; copied. bodies_max: bytes, at
 * least 1. Not while a claim is out. */
void claims_go(
    struct claims *claims, const int64_t *in_hand, size_t in_hand_count, size_t bodies_max);

/* The claim that came back, valid until the next goes out; NULL: none. A failed claim is empty and
 * was logged. */
const struct delivery_claims *claims_take(struct claims *claims);
