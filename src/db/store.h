/*
 * Opens the store; every other part uses store_open. An opened store is a database of this program
 * with every step of this program's schema. It may also have newer, compatible steps
 * (docs/adr/0038-expand-contract.md).
 */
#pragma once

#include "db/db.h"

struct progress_hook;

enum store_mode {
    STORE_READ,    /* must exist and be up to date; writes are rejected */
    STORE_WRITE,   /* must exist and be up to date */
    STORE_MIGRATE, /* created or migrated first: serve and every writing command */
    /* For a copy (store/copy/copy.h). The source is opened like STORE_WRITE; a missing target is
     * created. Statements may take long, and marks of copies are ignored. */
    STORE_COPY_SOURCE,
    STORE_COPY_TARGET,
};

/* ERR_NOT_FOUND: there is no database, or it is empty and mode does not create it. ERR_REFUSED: it
 * is another program's database, only newer programs can use it, it is older and mode does not
 * migrate, or a mark of a copy forbids it (store/copy/copy_mark.h). ERR_CORRUPT: damaged, or
 * migrated by other steps than this program's. None of these errors changes the database. */
enum err store_open(struct str url, enum store_mode mode, struct db **ret, struct fail *fail);
/* The same with STORE_MIGRATE. `progress` (may be NULL) receives enum migrate_phase. */
enum err store_migrate(
    struct str url, const struct progress_hook *progress, struct db **ret, struct fail *fail);

/* The server's lock, held while `serve` runs. Two servers on one SQLite file would each grant
 * callers the whole limit, so the second gets ERR_BUSY (docs/adr/0010-one-server-per-file.md).
 * Other commands can run beside a server. PostgreSQL needs no lock. */
struct store_lock;
enum err store_lock_server(struct str url, struct store_lock **ret, struct fail *fail);
/* False only if no server has this SQLite file open; correct also after a server was killed. */
bool store_has_server(const struct db *db);
void store_unlock_server(struct store_lock *lock); /* NULL is ignored */
