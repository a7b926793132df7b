/*
 * How a command uses the store: open it, write in one transaction, and come back when every running
 * server has taken the change in (docs/architecture.md, "Change notices").
 */
#pragma once

#include "cmd/commands.h"
#include "store/db/store.h"

enum { SESSION_SERVERS_TIMEOUT_MS = 1000 };

enum err session_open(struct cmd *cmd, enum store_mode mode, struct db **ret, struct fail *fail)
    MUST_CHECK;

/* Inside the write transaction. */
typedef enum err session_write_fn(struct db *db, void *ctx, struct fail *fail);

/* Runs fn in one write transaction and commits it; rolls back when it fails. */
enum err session_write(struct db *db, session_write_fn *fn, void *ctx, struct fail *fail)
    MUST_CHECK;

/* Waits until every running server has taken in what was committed; names one that has not after a
 * second on standard error. What was written stands all the same. */
void session_told(struct db *db);
