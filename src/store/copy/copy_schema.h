/*
 * The tables that a copy consists of, read from the database itself, so that no table can be
 * forgotten: all but those that copy_schema_leaves_out names. Both databases must have the same
 * tables, columns, types and primary keys.
 */
#pragma once

#include "db/bulk.h"
#include "db/db.h"

enum { COPY_KEY_MAX = 6 };

enum copy_type { COPY_INT, COPY_TEXT, COPY_BYTES, COPY_TYPE_COUNT };

struct copy_column {
    struct str name;
    enum copy_type type;
    int key; /* its place in the primary key, from 1; 0: not part of it */
};

/* A table, and the texts of statements on it. Every SELECT returns all columns in their order. */
struct copy_table {
    struct str name;
    struct copy_column *columns; /* by name */
    size_t column_count;
    size_t key[COPY_KEY_MAX]; /* the columns of the primary key, in its order */
    size_t key_count;

    const char *first;  /* the first rows in the order of keys; $1: how many */
    const char *next;   /* those after a key: $1 and so on; the last parameter: how many */
    const char *last;   /* the row with the greatest key */
    const char *one;    /* the row with a key */
    const char *count;  /* the number of rows */
    const char *remove; /* deletes the row with a key */
    struct bulk_text insert;
};

struct copy_schema {
    struct copy_table *tables; /* by name */
    size_t count;
};

/* Everything lives in the arena, which must outlive the connections that use it. */
enum err copy_schema_read(
    struct db *db, struct arena *arena, struct copy_schema *ret, struct fail *fail);

/* ERR_REFUSED names the first difference. */
enum err copy_schema_compare(
    const struct copy_schema *a, const struct copy_schema *b, struct fail *fail);

/* Tables that each database keeps for itself: its migrations, its servers, its part in a copy. */
bool copy_schema_leaves_out(struct str table);

/* NULL: there is no such table, or it is left out. */
const struct copy_table *copy_schema_find(const struct copy_schema *schema, struct str name);
