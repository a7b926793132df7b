/*
 * An SQLite file of tables for others to read: values are text, and become numbers where the column
 * has such a type. It is made once, and is no database of the program. Errors stay: flat_close
 * reports the first. Equal rows give equal bytes.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

struct flat_file {
    struct sqlite3 *handle;
    struct sqlite3_stmt *insert;
    struct str path; /* borrowed */
    int code;        /* of SQLite; 0: no error */
};

void flat_open(struct flat_file *f, struct str path);

struct flat_column {
    struct str name;
    const char *type;     /* "TEXT", "INTEGER", "REAL" */
    struct str refers_to; /* the table whose id it has; null: none */
};

/* Begins a table, which the rows that follow belong to. key: names of its columns. */
void flat_table(
    struct flat_file *f, struct str name, const struct flat_column *columns, size_t count,
    struct str key);
/* In the order of the columns; null and empty are NULL. */
void flat_row(struct flat_file *f, const struct str *values, size_t count);
/* Full text over these columns of the table, as TABLE_fts. */
void flat_search(struct flat_file *f, struct str table, struct str columns);

enum err flat_close(struct flat_file *f, struct fail *fail);
