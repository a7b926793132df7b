/*
 * Triggers on every table of the source of a copy. While they note, the key of each row that any
 * program inserts, updates or deletes goes into the table copy_change, in the same transaction.
 * While they are closed, every change is refused with ERR_UNAVAILABLE. Either holds for all
 * programs, also for those that know nothing of copies. While they note, PostgreSQL refuses
 * TRUNCATE with ERR_REFUSED.
 */
#pragma once

#include "store/copy/copy_schema.h"

/* Each begins and commits its own transaction, in which `first` (may be NULL) runs once no other
 * program can change a table; if it fails, nothing changes. ERR_BUSY: a program has kept a table
 * locked for too long, and nothing changed. */
typedef enum err copy_guard_first(struct db *db, void *ctx, struct fail *fail);

/* Of a source without such triggers. */
enum err copy_guard_note(
    struct db *db, const struct copy_schema *schema, copy_guard_first *first, void *ctx,
    struct fail *fail) MUST_CHECK;
/* Of a source that is noted. Waits for no reader. */
enum err copy_guard_close(
    struct db *db, const struct copy_schema *schema, copy_guard_first *first, void *ctx,
    struct fail *fail) MUST_CHECK;
/* Closed or not, from now on its changes are noted. */
enum err copy_guard_reopen(
    struct db *db, const struct copy_schema *schema, copy_guard_first *first, void *ctx,
    struct fail *fail) MUST_CHECK;
/* Removes all of them. */
enum err copy_guard_open(
    struct db *db, const struct copy_schema *schema, copy_guard_first *first, void *ctx,
    struct fail *fail) MUST_CHECK;
