/* The rows of a snapshot's files: what the API and the pages print. */
#pragma once

#include "noun/csv.h"
#include "noun/lists.h"
#include "record/record_file.h"
#include "rule/cursor.h"

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
    RECORD_PARTS = 9,
    RECORD_FIELDS = 1 << SHAPE_FIELDS_DETAILS | 1 << SHAPE_FIELDS_DATES,
};

/* The columns of trades.csv.gz, those of the API first. */
void record_csv_each(shape_csv_column_fn *fn, void *ctx);

extern const struct record_part record_parts[RECORD_PARTS];

/* How far a reader of trades is. All zero: at the newest. */
struct record_place {
    bool behind; /* `last` is the place of a trade */
    bool more;
    struct cursor last;
};

/* Appends the trades from there on, at most `limit` (FEED_PAGE_MAX), as trades.csv.gz and
 * trades.jsonl.gz have them; the header of CSV before the newest. Returns how many. */
size_t record_trades_put(
    struct record_place *place, const struct record_from *from, size_t limit, bool csv,
    struct buf *b);
