/*
 * stockact.sqlite: the tables of a snapshot, filled from its own files as datapackage.json
 * describes them, so that nothing else can be in it; and datasette.json, which Datasette shows it
 * with.
 */
#pragma once

#include "record/record_file.h"

#define RECORD_TABLES_NAME "stockact.sqlite"
#define RECORD_TABLES_ABOUT "datasette.json"

/* `package`: the text of datapackage.json of the folder, to which it adds how many rows of each
 * year have a column. */
enum err record_tables_write(
    struct str folder, struct buf *package, struct arena *arena, struct fail *fail);

/* The trades of `from` as the one table of a new file. ERR_EXISTS, ERR_FULL, ERR_IO: the file is
 * not there then. *ret: how many. */
enum err record_tables_export(
    struct str path, const struct record_from *from, int64_t *ret, struct fail *fail);
