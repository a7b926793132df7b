/*
 * What the clock does to deliveries once an hour: those held for too long expire, and attempts that
 * are too old leave the log. In small steps of the writer's last class, so that everything else
 * goes first. Of the loop's thread.
 */
#pragma once

#include "webhook/errand.h"

struct upkeep {
    int64_t next_at;         /* of the wall clock */
    bool pruning;            /* the second half of a run; the first is expiring */
    int64_t expired, pruned; /* by this run so far */

    /* The writer's while the errand is out. */
    struct errand errand;
    int64_t count; /* of the step */
};

void upkeep_init(struct upkeep *upkeep, struct writer *writer, uv_async_t *wake);
void upkeep_finish(struct upkeep *upkeep);

void upkeep_look(struct upkeep *upkeep, int64_t now_ms); /* begins a run when one is due */
void upkeep_take(struct upkeep *upkeep, bool go_on);     /* after a wake-up */
