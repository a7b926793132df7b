/* What the bars of several commands call the phases of their work. */
#pragma once

#include "cmd/term/progress.h"

extern const struct progress_label members_labels[]; /* enum import_phase */
extern const struct progress_label symbols_labels[]; /* enum import_phase */
extern const struct progress_label check_labels[];   /* enum check_phase */
extern const struct progress_label migrate_labels[]; /* enum migrate_phase */
extern const struct progress_label copy_labels[];    /* enum copy_phase */
