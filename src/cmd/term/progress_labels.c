/* See progress_labels.h. */
#include "cmd/term/progress_labels.h"

#include "base/import_file.h"
#include "db/migrate_phase.h"
#include "store/check/check.h"
#include "store/copy/copy.h"

const struct progress_label members_labels[] = {
    [IMPORT_READ] = {"Reading members", NULL, NULL},
    [IMPORT_WRITE] = {"Importing members", "person", "people"},
};

const struct progress_label symbols_labels[] = {
    [IMPORT_READ] = {"Reading symbols", NULL, NULL},
    [IMPORT_WRITE] = {"Importing symbols", "symbol", "symbols"},
};

const struct progress_label check_labels[] = {
    [CHECK_RULES] = {"Checking rules", "rule", "rules"},
    [CHECK_ROWS] = {"Checking rows", "row", "rows"},
    [CHECK_CHAIN] = {"Checking the chain", "entry", "entries"},
};

const struct progress_label migrate_labels[] = {
    [MIGRATE_STEPS] = {"Applying migrations", "step", "steps"},
    [MIGRATE_ROWS] = {"Filling in rows", "row", "rows"},
};

const struct progress_label copy_labels[] = {
    [COPY_PHASE_FILL] = {"Copying rows", "row", "rows"},
    [COPY_PHASE_COMPARE] = {"Comparing rows", "row", "rows"},
};
