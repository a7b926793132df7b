/*
 * Triggers on every table of the source of a copy. In state "note", the key of each row that any
 * program inserts, updates or deletes is written into the table copy_change, in the same
 * transaction, and PostgreSQL refuses TRUNCATE with ERR_REFUSED. In state "closed", every change is
 * refused with ERR_UNAVAILABLE. Both apply to all programs, including those that know nothing of
 * copies.
 */
#pragma once

#include "store/copy/copy_schema.h"

/* Each function begins and commits its own transaction. In it, `first` (may be NULL) runs once no
 * other program can change a table; if it fails, nothing changes. ERR_BUSY: a program has kept a
 * table locked for too long, and nothing changed. */
typedef enum err copy_guard_first(struct db *db, void *ctx, struct fail *fail);

/* Installs the triggers in state "note". */
enum err copy_guard_note(
    struct db *db, const struct copy_schema *schema, copy_guard_first *first, void *ctx,
    struct fail *fail);
/* From "note" to "closed". Waits for no reader. */
enum err copy_guard_close(
    struct db *db, const struct copy_schema *schema, copy_guard_first *first, void *ctx,
    struct fail *fail);
/* From "closed" or "note" to "note". */
enum err copy_guard_reopen(
    struct db *db, const struct copy_schema *schema, copy_guard_first *first, void *ctx,
    struct fail *fail);
/* Removes all triggers. */
enum err copy_guard_open(
    struct db *db, const struct copy_schema *schema, copy_guard_first *first, void *ctx,
    struct fail *fail);
