/*
 * What the database takes: bytes, the write-ahead log, the room on its disk, the reserve, and the
 * rows of the large tables. Rows are estimates that cost no walk over a table. For admins.
 */
#pragma once

#include "db/db.h"

struct storage_table {
    struct str name;
    int64_t rows;  /* an estimate: rows that were deleted may count */
    int64_t bytes; /* with indexes; -1: not known */
};

struct storage {
    struct str version; /* of SQLite or of the PostgreSQL server */
    int64_t bytes;      /* of the database, with its free pages */
    int64_t free_bytes; /* free pages inside it, which later rows use; -1: not known */
    /* SQLite only; -1: not known. */
    int64_t log_bytes;     /* the write-ahead log */
    int64_t reserve_bytes; /* the file beside it (db/writer.h); 0: it was released */
    int64_t disk_bytes, disk_free;
    struct storage_table *tables; /* largest first */
    size_t table_count;
};

/* Without the tables: version, sizes and room. */
enum err storage_read_size(
    struct db *db, struct arena *arena, struct storage *ret, struct fail *fail);

/* Strings live in the arena. */
enum err storage_read(struct db *db, struct arena *arena, struct storage *ret, struct fail *fail);
