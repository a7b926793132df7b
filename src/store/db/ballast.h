/*
 * Room on the disk that is held for bad times: a file of BALLAST_SIZE beside an SQLite database
 * (PATH.ballast). SQLite needs room to give room back (a checkpoint, even a DELETE, writes first),
 * so on a full disk the ballast goes, and what is in the log can be moved into the database file.
 * It is made again once there is room for it and as much besides, and stays when the server stops.
 *
 * Owned by the writer; each change is logged once. Not thread-safe.
 */
#pragma once

#include "store/db/db.h"

enum { BALLAST_SIZE = 16 * 1024 * 1024 };

struct ballast;

/* Takes over the file that is there, or makes it. NULL: not an SQLite database. */
struct ballast *ballast_create(const struct db *db);
void ballast_destroy(struct ballast *b); /* the file stays; NULL is fine */

/* The disk is full. False: nothing was there to be released. NULL is fine. */
bool ballast_release(struct ballast *b);

/* Makes the file again if it was released and there is room: after each commit. NULL is fine. */
void ballast_restore(struct ballast *b);
