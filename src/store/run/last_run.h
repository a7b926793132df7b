/* When a kind of command last did its work, for `stockact status`. Jobs have rows of their own
 * (store/run/job.h). */
#pragma once

#include "db/db.h"

/* LAST_MEMBERS, LAST_SYMBOLS: the day of the newest list of sitting members, and of symbols. */
enum last_run { LAST_IMPORT, LAST_INGEST, LAST_BACKUP, LAST_MEMBERS, LAST_SYMBOLS, LAST_RUN_COUNT };

/* Call inside a write transaction. */
enum err last_run_note(struct db *db, enum last_run run, int64_t now_ms, struct fail *fail);

/* INSTANT_NONE: never. */
enum err last_run_read(struct db *db, int64_t ret[static LAST_RUN_COUNT], struct fail *fail);
