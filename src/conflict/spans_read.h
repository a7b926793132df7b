/*
 * Files of committee seats over time as values, without the store: seats as
 * `committee,bioguide,seen_from,seen_to,title`, names as `committee,name,seen_from,seen_to`, the
 * form of data/seats.csv and data/committees.csv. `seen_to` is the first day without the seat or
 * name; empty: the newest list has it. Columns are found by name, others are ignored. A line that
 * is no such seat or name is left out and reported.
 */
#pragma once

#include "base/import_file.h"
#include "market/seat_span.h"
#include "store/public/committee_span.h"

enum { SPANS_FILE_SIZE_MAX = 64 << 20, SPANS_LINES_MAX = 500000 };

/* A line that was left out. Valid during the call only. */
struct spans_odd {
    struct str file;
    int64_t line;
    struct str committee; /* as printed */
    const char *what;
};

typedef void spans_odd_fn(void *ctx, const struct spans_odd *odd);

struct spans_read {
    struct arena *arena;
    int32_t today; /* a seat or name cannot begin later */
    spans_odd_fn *odd;
    void *ctx;
    size_t left_out;
    struct seat_span *spans; /* in the file's order */
    size_t span_count;
    int32_t *days; /* on which a seat begins or ends, ascending */
    size_t day_count;
    struct committee_naming *namings; /* by committee and day */
    size_t naming_count;
};

/* Set `arena`, `today`, `odd` and `ctx` before. ERR_INVALID names the file and the line: it is not
 * such a file, or has no valid line. */
enum err spans_read_seats(struct spans_read *r, const struct import_file *file, struct fail *fail);
enum err spans_read_names(struct spans_read *r, const struct import_file *file, struct fail *fail);
