/*
 * Hourly upkeep, also run at once when the clock is set back: makes deliveries due now that a clock
 * ahead made due too late, expires deliveries held for too long, and deletes old attempts, tests,
 * mail that was sent or given up long ago, what alerts sent long ago or will not send, alerts that
 * ended long ago, expired sessions and links, and old numbers of forms. Runs in small steps of the
 * writer's lowest class. The last step records the run, as the job "upkeep". Used on the loop's
 * thread.
 */
#pragma once

#include "db/errand.h"

enum upkeep_work {
    UPKEEP_DUE,
    UPKEEP_EXPIRE,
    UPKEEP_ATTEMPTS,
    UPKEEP_TESTS,
    UPKEEP_MAIL,
    UPKEEP_ALERTS,
    UPKEEP_ORPHANS,
    UPKEEP_ENDED,
    UPKEEP_SESSIONS,
    UPKEEP_TOKENS,
    UPKEEP_ONCE,
    UPKEEP_TYPED,
    UPKEEP_RECORD,
    UPKEEP_WORK_COUNT
};

struct upkeep {
    int64_t started_at, next_at;     /* of the wall clock */
    enum upkeep_work work;           /* the current step */
    int64_t done[UPKEEP_WORK_COUNT]; /* rows, by this run so far */

    /* Owned by the writer while the errand is out. */
    struct errand errand;
    int64_t count; /* of the step */
};

void upkeep_init(struct upkeep *upkeep, struct writer *writer, uv_async_t *wake);
void upkeep_finish(struct upkeep *upkeep);

void upkeep_look(struct upkeep *upkeep, int64_t now_ms); /* begins a run when one is due */
void upkeep_take(struct upkeep *upkeep, bool go_on);     /* after a wake-up */
