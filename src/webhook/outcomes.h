/*
 * Outcomes on their way to the store: gathered for OUTCOMES_GATHER_MS or until there are
 * OUTCOMES_IN_GROUP of them, and written by one job, one job at a time. What the store does not
 * take is kept and written later; its deliveries stay in hand until then, so nothing is sent again.
 */
#pragma once

#include "store/db/errand.h"
#include "webhook/attempt.h"
#include "webhook/bounds.h"

/* In the transaction of the outcome, on the writer's thread: an endpoint came to where its owner is
 * told (endpoint_notices). An error leaves the outcome unwritten, to be tried again. */
typedef enum err outcome_notice(
    struct db *db, void *ctx, const struct delivery_outcome *outcome,
    const struct delivery_effect *effect, struct fail *fail);

struct outcomes {
    outcome_notice *notice; /* NULL: nobody is told */
    void *notice_ctx;
    /* The outcome is durable: the attempt is the callee's. */
    void (*written)(void *ctx, struct attempt *attempt);
    void *ctx;

    uv_timer_t timer;             /* runs while something is gathered or is to be tried again */
    struct attempt_queue waiting; /* not in the group */
    size_t waiting_count;
    bool failing; /* the store did not take the last group */
    bool alone;   /* nor would it take this one later: each is written by itself until all are */

    /* The writer's while the errand is out. */
    struct errand errand;
    struct attempt *group[OUTCOMES_IN_GROUP];
    struct delivery_effect effects[OUTCOMES_IN_GROUP];
    size_t group_count;
};

/* The lines down to ctx are set by the caller. */
void outcomes_init(
    struct outcomes *outcomes, uv_loop_t *loop, struct writer *writer, uv_async_t *wake);
void outcomes_close(struct outcomes *outcomes);  /* its handle; the loop runs on until it has */
void outcomes_finish(struct outcomes *outcomes); /* nothing is in it any more */

void outcomes_add(struct outcomes *outcomes, struct attempt *attempt);
void outcomes_flush(struct outcomes *outcomes); /* without gathering any longer */

/* After a wake-up. True: a group has become durable. */
bool outcomes_take(struct outcomes *outcomes);
