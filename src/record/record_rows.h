/* The rows of a snapshot's files: what the API and the pages print. */
#pragma once

#include "noun/csv.h"
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

enum {
    RECORD_PARTS = 8,
    RECORD_FIELDS = 1 << SHAPE_FIELDS_DETAILS | 1 << SHAPE_FIELDS_DATES,
};

/* The columns of trades.csv.gz, those of the API first. */
void record_csv_each(shape_csv_column_fn *fn, void *ctx);

extern const struct record_part record_parts[RECORD_PARTS];
