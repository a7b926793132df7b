/* The rows of a snapshot's files, from a feed: what the API and the pages print. */
#pragma once

#include "noun/field.h"
#include "noun/lists.h"
#include "record/record_file.h"

struct feed;

/* Where a reader's knowledge ends. */
struct record_line {
    int64_t until_ms; /* published before; INSTANT_NONE: everything */
    int32_t today;
};

struct record_part {
    const char *title, *name;          /* the name is of the file */
    const struct shape_object *object; /* whose members a row has */
    bool csv;
    bool extra; /* with the objects of RECORD_FIELDS */
    void (*put)(struct record_file *file, const struct feed *feed, const struct record_line *line);
};

/* A column of trades.csv.gz behind those of the API. */
struct record_column {
    const char *name, *type, *description;
    bool required;
};

enum {
    RECORD_PARTS = 4,
    RECORD_COLUMNS = 4,
    RECORD_FIELDS = 1 << SHAPE_FIELDS_DETAILS | 1 << SHAPE_FIELDS_DATES,
};

extern const struct record_column record_columns[RECORD_COLUMNS];

extern const struct record_part record_parts[RECORD_PARTS];
