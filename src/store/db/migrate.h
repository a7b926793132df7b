/*
 * The schema as numbered steps. Each runs in one transaction and leaves a row in table `migration`
 * (number, checksum of its text), so that a database tells which program made it. Steps are never
 * edited once released; a change is a new step.
 */
#pragma once

#include "store/db/db.h"

enum migrate_state {
    MIGRATE_EMPTY,   /* nothing in it */
    MIGRATE_CURRENT, /* ours, up to date */
    MIGRATE_OLDER,   /* ours, steps are missing */
};

/* ERR_REFUSED: of another program, or newer than this one. ERR_CORRUPT: a step's checksum differs.
 */
enum err migrate_inspect(struct db *db, enum migrate_state *ret, struct fail *fail) MUST_CHECK;

/* Brings the database up to date; *ret_steps (may be NULL) = steps run, 0 when it was current. Two
 * processes may call it at once. */
enum err migrate_run(struct db *db, int *ret_steps, struct fail *fail) MUST_CHECK;

int migrate_latest(void); /* the number of the newest step */
