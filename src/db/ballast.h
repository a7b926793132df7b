/*
 * Reserved disk space: a file of BALLAST_SIZE beside an SQLite database (PATH.ballast). SQLite
 * needs space to free space, because a checkpoint and even a DELETE write first. When the disk is
 * full, the writer releases the ballast, and the write-ahead log can be checkpointed. The ballast
 * is created again when the disk has room for twice its size. It stays when the server stops.
 *
 * The writer thread owns it and logs each change once. Not thread-safe.
 */
#pragma once

#include "db/db.h"

enum { BALLAST_SIZE = 16 * 1024 * 1024 };

struct ballast;

/* Uses the existing file, or creates it. NULL: not an SQLite database. */
struct ballast *ballast_create(const struct db *db);
void ballast_destroy(struct ballast *b); /* keeps the file; NULL is ignored */

/* Call when the disk is full. False: there was nothing to release. NULL is ignored. */
bool ballast_release(struct ballast *b);

/* Creates the file again if it was released and there is room. Call after each commit: an attempt
 * that fails, which may use a quota up for a moment, is repeated after two seconds. NULL is
 * ignored. */
void ballast_restore(struct ballast *b);
