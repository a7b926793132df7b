/*
 * Access of commands to the store: open it, write in one transaction, wait until every running
 * server has applied the change (docs/architecture.md, "Change notices").
 */
#pragma once

#include "cmd/commands.h"
#include "store/db/store.h"

enum { SESSION_SERVERS_TIMEOUT_MS = 1000 };

enum err session_open(struct cmd *cmd, enum store_mode mode, struct db **ret, struct fail *fail)
    MUST_CHECK;

/* Runs inside the write transaction. */
typedef enum err session_write_fn(struct db *db, void *ctx, struct fail *fail);

/* Runs fn in one write transaction and commits it. If fn fails, rolls back. */
enum err session_write(struct db *db, session_write_fn *fn, void *ctx, struct fail *fail)
    MUST_CHECK;

/* Waits until every running server has applied the committed changes. If one has not after
 * SESSION_SERVERS_TIMEOUT_MS, a warning on standard error names it; the changes remain stored. */
void session_wait_servers(struct db *db);
