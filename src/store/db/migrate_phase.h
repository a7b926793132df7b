/* The phases of applying migrations (base/progress_hook.h). */
#pragma once

enum migrate_phase {
    MIGRATE_STEPS,
    MIGRATE_ROWS /* that a step fills in; the steps go on after it */
};
