/* The rows of a snapshot's files, from a feed: what the API and the pages print. */
#pragma once

#include "record/record_file.h"

struct feed;

/* Where a reader's knowledge ends. */
struct record_line {
    int64_t until_ms; /* published before; INSTANT_NONE: everything */
    int32_t today;
};

struct record_part {
    const char *name; /* of the file */
    void (*put)(struct record_file *file, const struct feed *feed, const struct record_line *line);
};

enum { RECORD_PARTS = 4 };

extern const struct record_part record_parts[RECORD_PARTS];
