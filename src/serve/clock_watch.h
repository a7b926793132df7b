/*
 * Compares this server's wall clock with that of the database, which all servers share. The log
 * says once that they differ, and once that they agree again. Only PostgreSQL has a clock of its
 * own.
 */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    CLOCK_WATCH_OFF_MS = 30 * 1000, /* from here on the clocks differ; `doctor` agrees */
    CLOCK_WATCH_ANSWER_MS = 1000,   /* an answer that took longer says too little */
};

struct clock_watch {
    _Atomic int64_t ahead_ms; /* of this server's clock; 0 until the first answer. Any thread */
    bool is_off;              /* and the log says so */
};

/* The database's clock said `database_ms`, between two looks at this server's wall clock. One
 * thread at a time. */
void clock_watch_note(
    struct clock_watch *watch, int64_t before_ms, int64_t database_ms, int64_t after_ms);
