/* What must be run once after an upgrade, as deploy/README.md ("Upgrading") says: `stockact status`
 * shows each task until it is done. The first migration of a database with data notes its schema.
 */
#pragma once

#include "db/db.h"

enum upgrade_task {
    UPGRADE_MEMBERS,
    UPGRADE_CORRECT,
    UPGRADE_REREAD,
    UPGRADE_AUDIT,
    UPGRADE_SCANS,
    UPGRADE_CHECK,
    UPGRADE_TASK_COUNT
};

struct upgrade_task_info {
    struct str name;    /* for `stockact migrate --done` */
    int before;         /* databases with an older schema need it */
    struct str command; /* without `stockact` */
    struct str why;
};

const struct upgrade_task_info *upgrade_task_info(enum upgrade_task task);

/* *ret has one bit for each task that is not done. *ret_schema: the schema before the first
 * upgrade; 0: none was upgraded. */
enum err upgrade_due(struct db *db, unsigned *ret, int *ret_schema, struct fail *fail);

/* Call inside a write transaction. */
enum err upgrade_done(struct db *db, enum upgrade_task task, struct fail *fail);
