/* The rows of a snapshot's files: what the API and the pages print. */
#pragma once

#include "noun/field.h"
#include "noun/lists.h"
#include "record/record_file.h"

struct record_part {
    const char *title, *name;          /* the name is of the file; NULL: of changes */
    const struct shape_object *object; /* whose members a row has */
    const char *key;                   /* members that no two rows share; NULL: the id */
    const char *refers; /* "member=part,...": members that are ids of rows of others; or NULL */
    bool csv;
    bool extra; /* with the objects of RECORD_FIELDS */
    enum err (*put)(struct record_file *file, const struct record_from *from, struct fail *fail);
};

/* A column of trades.csv.gz behind those of the API. */
struct record_column {
    const char *name, *type, *description;
    bool required;
};

enum {
    RECORD_PARTS = 8,
    RECORD_COLUMNS = 8,
    RECORD_FIELDS = 1 << SHAPE_FIELDS_DETAILS | 1 << SHAPE_FIELDS_DATES,
};

extern const struct record_column record_columns[RECORD_COLUMNS];

extern const struct record_part record_parts[RECORD_PARTS];
