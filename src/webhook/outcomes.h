/*
 * Outcomes on their way to the store: collected for OUTCOMES_GATHER_MS or until there are
 * OUTCOMES_IN_GROUP, and written by one job at a time. Outcomes that the store does not accept are
 * kept and written later. Their deliveries stay in hand until then, so nothing is sent again.
 */
#pragma once

#include "db/errand.h"
#include "webhook/attempt.h"
#include "webhook/bounds.h"

/* Runs in the transaction of the outcome, on the writer's thread, when an endpoint reaches a state
 * that its owner gets a notice of (endpoint_notices). On an error the outcome is not written, and
 * is tried again. */
typedef enum err outcome_notice(
    struct db *db, void *ctx, const struct delivery_outcome *outcome,
    const struct delivery_effect *effect, struct fail *fail);

struct outcomes {
    outcome_notice *notice; /* NULL: no notices */
    void *notice_ctx;
    /* The outcome is durable: the callee owns the attempt. */
    void (*written)(void *ctx, struct attempt *attempt);
    void *ctx;

    uv_timer_t timer;             /* runs while outcomes are collected or must be tried again */
    struct attempt_queue waiting; /* not in the group */
    size_t waiting_count;
    bool failing; /* the store did not accept the last group */
    bool alone;   /* the group failed because of one of its outcomes: write each by itself until all
                     are written */

    /* Owned by the writer while the errand is out. */
    struct errand errand;
    struct attempt *group[OUTCOMES_IN_GROUP];
    struct delivery_effect effects[OUTCOMES_IN_GROUP];
    size_t group_count;
};

/* The caller sets the members down to ctx. */
void outcomes_init(
    struct outcomes *outcomes, uv_loop_t *loop, struct writer *writer, uv_async_t *wake);
void outcomes_close(struct outcomes *outcomes);  /* closes its handle: run the loop until then */
void outcomes_finish(struct outcomes *outcomes); /* when it is empty */

void outcomes_add(struct outcomes *outcomes, struct attempt *attempt);
void outcomes_flush(struct outcomes *outcomes); /* without collecting any longer */

/* After a wake-up. True: a group has become durable. */
bool outcomes_take(struct outcomes *outcomes);
