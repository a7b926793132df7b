/*
 * The log: one line per event, as logfmt, JSON or short text, to standard error. Lines go through a
 * bounded ring to one thread, so that a full pipe blocks no other thread. Lines that do not fit are
 * dropped, and the next line that fits reports their number. Before log_start and after log_stop,
 * lines are written directly.
 *
 * Never log a key, a secret, a client address or a cookie. Log an error once, where it is handled.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"

enum log_level { LOG_INFO, LOG_WARN, LOG_ERROR };
enum log_format {
    LOG_LOGFMT,
    LOG_JSON,
    LOG_TEXT,  /* for a person: the time of the day, and the level only if it is not info */
    LOG_CHOOSE /* LOG_TEXT if standard error is a terminal, otherwise LOG_LOGFMT */
};

struct log_field {
    const char *name;
    struct str text; /* used if is_number is false */
    int64_t number;
    bool is_number;
};

#define LOG_S(key, value)                                                                          \
    {                                                                                              \
        .name = (key), .text = (value)                                                             \
    }
#define LOG_I(key, value)                                                                          \
    {                                                                                              \
        .name = (key), .number = (value), .is_number = true                                        \
    }

enum { LOG_STOP_MAX_MS = 1000 };

void log_start(enum log_format format);
/* Writes the remaining lines, waiting at most LOG_STOP_MAX_MS for the reader. */
void log_stop(void);
void log_stop_within(int64_t max_ms);

enum log_format log_format(void); /* never LOG_CHOOSE */
/* "08:12:45" of "2026-11-20T08:12:45.123Z", for LOG_TEXT. */
static inline struct str log_short_time(struct str instant)
{
    return str_slice(instant, 11, 19);
}

uint64_t log_dropped(void); /* lines dropped since the start */

/* log_line(LOG_INFO, "listening", LOG_S("address", a), LOG_I("threads", n)); */
#define log_line(level, event, ...)                                                                \
    log_fields(                                                                                    \
        (level), (event), (const struct log_field[]){{0}, ##__VA_ARGS__},                          \
        sizeof((const struct log_field[]){{0}, ##__VA_ARGS__}) / sizeof(struct log_field) - 1)

/* fields[1] to fields[n]; called by log_line. */
void log_fields(enum log_level level, const char *event, const struct log_field *fields, size_t n);

/*
 * A cheap path into the log for lines written with every request. Each thread adds its lines to its
 * own ring, without a lock, a system call or a wake-up, and the log thread writes them within 100
 * ms. A full ring drops lines and counts them. The lines of one thread keep their order; relative
 * to other lines they may be a little late.
 *
 * A lane is created with a thread's first line and lasts until the process ends.
 */

/* Adds complete lines, each with its newline, in the format of log_format(). While the log thread
 * is not running, they are written at once. */
void log_lane_put(struct str lines);
