/*
 * What the clock does once an hour, and at once when it is set back: deliveries that a clock ahead
 * made due too late are due now, those held for too long expire, attempts that are too old leave
 * the log, and so does mail that was sent or given up long ago. In small steps of the writer's last
 * class, so that everything else goes first. Of the loop's thread.
 */
#pragma once

#include "store/db/errand.h"

enum upkeep_work { UPKEEP_DUE, UPKEEP_EXPIRE, UPKEEP_ATTEMPTS, UPKEEP_MAIL, UPKEEP_WORK_COUNT };

struct upkeep {
    int64_t next_at;                 /* of the wall clock */
    enum upkeep_work work;           /* what the run is at */
    int64_t done[UPKEEP_WORK_COUNT]; /* rows, by this run so far */

    /* The writer's while the errand is out. */
    struct errand errand;
    int64_t count; /* of the step */
};

void upkeep_init(struct upkeep *upkeep, struct writer *writer, uv_async_t *wake);
void upkeep_finish(struct upkeep *upkeep);

void upkeep_look(struct upkeep *upkeep, int64_t now_ms); /* begins a run when one is due */
void upkeep_take(struct upkeep *upkeep, bool go_on);     /* after a wake-up */
