/*
 * The log: one line per event, as logfmt or JSON, to standard error. Lines go through a bounded
 * ring to one thread, so that a full pipe blocks no other thread. Lines that do not fit are
 * dropped, and the next line that fits reports their number. Before log_start and after log_stop,
 * lines are written directly.
 *
 * Never log a key, a secret, a client address or a cookie. Log an error once, where it is handled.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"

enum log_level { LOG_INFO, LOG_WARN, LOG_ERROR };
enum log_format { LOG_LOGFMT, LOG_JSON };

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

enum log_format log_format(void);
uint64_t log_dropped(void); /* lines dropped since the start */

/* log_line(LOG_INFO, "listening", LOG_S("address", a), LOG_I("threads", n)); */
#define log_line(level, event, ...)                                                                \
    log_fields(                                                                                    \
        (level), (event), (const struct log_field[]){{0}, ##__VA_ARGS__},                          \
        sizeof((const struct log_field[]){{0}, ##__VA_ARGS__}) / sizeof(struct log_field) - 1)

/* fields[1] to fields[n]; called by log_line. */
void log_fields(enum log_level level, const char *event, const struct log_field *fields, size_t n);
