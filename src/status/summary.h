/*
 * What the database holds, when it was last worked on, and what to do next: the first screen of
 * `stockact status`. summary_read reads; summary_next is a pure function of what was read.
 */
#pragma once

#include "status/overview.h"
#include "store/row/meta.h"
#include "store/run/last_run.h"

enum { SUMMARY_COUNTED_MAX = 200000 }; /* more trades than this are estimated, not counted */

struct summary {
    enum meta_data data;
    int64_t members;
    int64_t trades; /* public ones */
    bool trades_estimated;
    int64_t reports[REPORT_STATE_COUNT];
    int64_t last[LAST_RUN_COUNT];
    int64_t last_sync, last_sweep; /* end of the last run; INSTANT_NONE: never */
    int64_t endpoints, endpoints_failing;
    bool running; /* a server is, or may be while commits wait for a standby */
};

/* `overview` is what overview_read read. */
enum err summary_read(
    struct db *db, const struct overview *overview, struct summary *ret, struct fail *fail);

/* A command with what it does: "stockact review list: 3 reports wait for a reviewer". Null: there
 * is nothing to do. `path` is the SQLite file as the settings name it; null: PostgreSQL. */
struct str summary_next(const struct summary *summary, struct str path, struct arena *arena);
