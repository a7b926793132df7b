/*
 * Opening the store: the one way in for every other part. What store_open gives is a database of
 * this program, of exactly this program's version of the schema.
 */
#pragma once

#include "store/db/db.h"

enum store_mode {
    STORE_READ,    /* must be there and up to date; writes are refused */
    STORE_WRITE,   /* must be there and up to date */
    STORE_MIGRATE, /* is made or brought up to date first: serve and every writing command */
};

/* ERR_NOT_FOUND: there is no database, or it is empty and mode does not make it. ERR_REFUSED: not
 * ours, newer than this program, or older and mode does not migrate. ERR_CORRUPT: damaged, or its
 * migrations are not the ones of this program. Nothing is altered on any of them. */
enum err store_open(struct str url, enum store_mode mode, struct db **ret, struct fail *fail)
    MUST_CHECK;

/* Held by `serve` for as long as it runs. Two servers on one SQLite file would each grant callers
 * the whole limit, so the second is refused with ERR_BUSY (docs/adr/0010-one-server-per-file.md);
 * other commands run beside a server. On PostgreSQL nothing is locked. */
struct store_lock;
enum err store_lock_server(struct str url, struct store_lock **ret, struct fail *fail) MUST_CHECK;
void store_unlock_server(struct store_lock *lock); /* NULL is fine */
