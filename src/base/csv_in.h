/*
 * CSV reader: RFC 4180 with LF or CRLF, quotes only around whole fields, UTF-8 with or without a
 * byte order mark. Errors are sticky and name the line, counted from 1.
 */
#pragma once

#include "base/err.h"
#include "base/mem.h"

enum { CSV_FIELDS_MAX = 64, CSV_FIELD_SIZE_MAX = 64 * 1024 };

struct csv_in {
    struct str rest;
    struct arena *arena; /* holds fields whose doubled quotes were undone */
    int64_t line;        /* first line of the last record read */
    int64_t next_line;
    struct str field[CSV_FIELDS_MAX];
    int count;
    const char *error; /* NULL: none so far */
};

void csv_in_init(struct csv_in *c, struct str text, struct arena *arena);

/* Reads one record into field[0..count); false at the end and on error. Skips empty lines. */
bool csv_in_next(struct csv_in *c);
