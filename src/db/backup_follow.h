/*
 * `stockact backup --follow`: keeps a folder from which an SQLite database can be restored as it
 * was at any time (docs/adr/0040-follow.md). It has copies, follow-TIME.db, each with a log,
 * follow-TIME.log: the pages that changed, in one record for each look at the write-ahead log. The
 * copy is of some moment before the first record, which brings it to one moment. A record is
 * flushed and has a digest: one that is half written is not applied.
 *
 * A read transaction is always held, which overlaps the next one. So the write-ahead log cannot
 * begin again before its last pages are read, whatever other programs do. A log that has grown is
 * checkpointed here, right after it was read.
 */
#pragma once

#include "db/db.h"

struct backup_follow;

/* For SQLite only. ERR_BUSY: another process follows into this folder. */
enum err backup_follow_start(
    struct str url, struct str folder, int64_t keep, struct backup_follow **ret, struct fail *fail);
void backup_follow_stop(struct backup_follow *f); /* NULL is ignored */

/* Call it every BACKUP_FOLLOW_MS. *ret_copied: it made a copy, as it does at first, once a day and
 * after large changes, and removed old ones. After an error, stop and start again. */
enum { BACKUP_FOLLOW_MS = 2000 };
enum err backup_follow_look(
    struct backup_follow *f, int64_t now_ms, bool *ret_copied, struct fail *fail);

/* The newest copy of a folder that can be restored as it was at that time; in the arena.
 * ERR_NOT_FOUND: there is none. */
enum err backup_follow_find(
    struct str folder, int64_t at_ms, struct arena *arena, struct str *ret_copy, struct fail *fail);
/* Brings `to`, which has the bytes of that copy, to that time. *ret_at: that of the last record. */
enum err backup_follow_apply(
    struct str copy, const char *to, int64_t at_ms, int64_t *ret_at, struct fail *fail);
