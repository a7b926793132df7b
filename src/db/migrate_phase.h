/* The phases of applying migrations (base/progress_hook.h). */
#pragma once

enum migrate_phase {
    MIGRATE_STEPS,
    MIGRATE_ROWS /* rows that a step fills in; more steps follow */
};
