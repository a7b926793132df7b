/*
 * Access of commands to the store: open it, write in one transaction, wait until every running
 * server has applied the change (docs/architecture.md, "Change notices").
 */
#pragma once

#include "cmd/term/command.h"
#include "config/secret_key.h"
#include "db/store.h"
#include "store/account/key_mark.h"
#include "store/row/act.h"
#include "store/run/last_run.h"
#include "store/run/upgrade.h"

enum { STORE_ACCESS_WAIT_MS = 1000 };

/* Opens the database of the settings. STORE_MIGRATE is for commands that may create it: demo,
 * migrate, setup and imports. ERR_NOT_FOUND says how to begin. ERR_REFUSED: see
 * database_place_check. */
enum err store_access_open(
    struct cmd *cmd, enum store_mode mode, struct db **ret, struct fail *fail);
/* The same with STORE_MIGRATE; `progress` receives enum migrate_phase. */
enum err store_access_migrate(
    struct cmd *cmd, const struct progress_hook *progress, struct db **ret, struct fail *fail);

/* A command that reads: its database, and memory that lives as long. */
struct store_read {
    struct cmd *cmd;
    struct out *out;
    struct db *db;
    struct arena arena;
    int64_t now_ms;
};

/* The context of what it calls, in the arena. */
const struct act *store_reads(struct store_read *read, struct fail *fail);

/* Opens the database, runs fn, which prints what it reads, and closes it. */
enum err store_access_read(struct cmd *cmd, store_read_fn *fn, struct fail *fail);

/* Runs inside the write transaction. */
typedef enum err store_access_write_fn(struct db *db, void *ctx, struct fail *fail);

/* Runs fn in one write transaction and commits it. If fn fails, rolls back. */
enum err store_access_write(struct db *db, store_access_write_fn *fn, void *ctx, struct fail *fail);

/* An action of the operator. Its database is not open yet. */
struct act store_access_operator(struct arena *arena, struct fail *fail);

/* Opens act->db for writing unless it is open, which the caller closes, runs the action in one
 * transaction, and waits for the servers. */
enum err store_access_act(struct cmd *cmd, struct act *act, act_run *run, void *work);

/* Notes the time for `stockact status`. A failure is ignored: the work is done. */
void store_access_note(struct db *db, enum last_run run);

/* Notes that what an upgrade asks for is done. `db` may be open for reading alone. A failure is
 * ignored. */
void store_access_done(struct cmd *cmd, struct db *db, enum upgrade_task task);

/* With --at: an operator vouches for the time, with a reason that goes into the log of actions.
 * Call it before the work. ERR_INVALID: without --reason. */
enum err store_access_overrule_clock(struct cmd *cmd, struct db *db, struct fail *fail);

/* Waits until every running server has applied the committed changes. If one has not after
 * STORE_ACCESS_WAIT_MS, a warning on standard error names it; the changes remain stored. */
void store_access_wait_servers(struct db *db);

/* Reads the master key of the database, which the caller wipes. Only the server creates it, on its
 * first start: ERR_REFUSED without one. A transaction that writes what the key sealed calls
 * key_mark_hold with key_mark_of the key. */
enum err store_access_master_key(
    struct cmd *cmd, uint8_t ret[static SECRET_KEY_SIZE], struct fail *fail);

/* The public base URL, for links; in the arena, or in the settings. */
struct str store_access_base_url(struct cmd *cmd, struct arena *arena);
