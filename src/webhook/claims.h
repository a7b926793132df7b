/*
 * Claiming for this server: one claim at a time is out with the writer. What is claimed belongs to
 * the caller's hand before the next claim goes out, so that none is claimed twice whatever the wall
 * clock does to leases.
 */
#pragma once

#include "store/db/errand.h"
#include "webhook/bounds.h"

struct claims {
    struct str node; /* borrowed */
    int64_t after_endpoint;
    bool failing; /* said in the log */

    /* The writer's while the errand is out. */
    struct errand errand;
    size_t bodies_max;
    int64_t in_hand[IN_HAND_MAX]; /* sorted */
    size_t in_hand_count;
    struct arena arena; /* what is claimed, until the next claim goes out */
    struct delivery_claims found;
    int64_t ended_at_endpoint;
};

void claims_init(struct claims *claims, struct writer *writer, struct str node, uv_async_t *wake);
void claims_finish(struct claims *claims);

/* in_hand: numbers of deliveries, in no order and fewer than IN_HAND_MAX; copied. bodies_max:
 * bytes, at least 1. Not while one is out. */
void claims_go(
    struct claims *claims, const int64_t *in_hand, size_t in_hand_count, size_t bodies_max);

/* The claim that came back, valid until the next goes out; NULL: none did. One that failed is empty
 * and said in the log. */
const struct delivery_claims *claims_take(struct claims *claims);
