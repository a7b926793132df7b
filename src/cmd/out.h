/*
 * What a command prints on standard output: records. With --json a record is one JSON object on one
 * line; without it a block of "name  value" lines (one thing) or a row of a table whose columns are
 * tab-separated under one header line (lists). A command describes its record once.
 *
 *     out_begin(out, OUT_TABLE);  out_str(out, "id", id);  out_end(out);
 */
#pragma once

#include <stdio.h>

#include "base/instant.h"
#include "base/json_out.h"

enum out_style { OUT_BLOCK, OUT_TABLE };

struct out {
    FILE *to; /* borrowed */
    bool json;
    enum out_style style;
    struct buf header; /* names of the columns, while the first row of a table is made */
    struct buf line;
    struct json_out writer;
    bool header_done;
};

void out_init(struct out *o, FILE *to, bool json);
bool out_finish(struct out *o); /* flushes; false when something could not be written */

void out_begin(struct out *o, enum out_style style);
void out_str(struct out *o, const char *name, struct str value); /* null: JSON null, "-" */
void out_i64(struct out *o, const char *name, int64_t value);
void out_bool(struct out *o, const char *name, bool value);
void out_instant(struct out *o, const char *name, int64_t ms);  /* INSTANT_NONE: null */
void out_raw(struct out *o, const char *name, struct str json); /* one JSON value, as it is */
void out_end(struct out *o);

/* A sentence for people; with --json nothing. */
void out_say(struct out *o, const char *format, ...) __attribute__((format(printf, 2, 3)));
