/*
 * Schema migrations, as numbered steps. Each step runs in one transaction and adds a row to table
 * `migration` (its number and the checksum of its text), so that a database records which program
 * created it. Never edit a released step; add a new one.
 */
#pragma once

#include "db/db.h"
#include "db/migrate_phase.h"

struct progress_hook;

enum migrate_state {
    MIGRATE_EMPTY,   /* no tables */
    MIGRATE_CURRENT, /* ours and up to date */
    MIGRATE_OLDER,   /* ours, with steps to apply */
    MIGRATE_NEWER,   /* ours, with compatible steps of a newer program */
};

/* ERR_REFUSED: another program's database, or one that only newer programs can use. ERR_CORRUPT:
 * the checksum of a step differs. */
enum err migrate_inspect(struct db *db, enum migrate_state *ret, struct fail *fail);

/* Applies the missing steps up to number `last`, usually migrate_latest(). *ret_steps (may be NULL)
 * is the number of steps applied. `progress` (may be NULL) receives enum migrate_phase. Two
 * processes may call it at the same time. ERR_REFUSED: also if a running server's program could not
 * use the database after a step. */
enum err migrate_run(
    struct db *db, int last, const struct progress_hook *progress, int *ret_steps,
    struct fail *fail);

/* Lets rows of a table that is only appended to be changed, or again not: in one transaction. */
enum err migrate_lift_append_only(struct db *db, struct str table, bool lifted, struct fail *fail);

/* The mark in table `meta` with the schema that a database with data had before its first upgrade.
 */
#define MIGRATE_UPGRADED_FROM "upgraded_from"

int migrate_latest(void); /* the number of the newest step */

/* The newest step of the database, which this program may not know. */
enum err migrate_applied(struct db *db, int *ret, struct fail *fail);

/* ERR_REFUSED, with a line for people: only programs that know step `usable_from` can use the
 * database, and this one does not. */
enum err migrate_check_program(struct db *db, int64_t usable_from, struct fail *fail);
