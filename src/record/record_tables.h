/*
 * stockact.sqlite: the tables of a snapshot, filled from its own files as datapackage.json
 * describes them, so that nothing else can be in it; and datasette.json, which Datasette shows it
 * with.
 */
#pragma once

#include "base/err.h"
#include "base/mem.h"

#define RECORD_TABLES_NAME "stockact.sqlite"
#define RECORD_TABLES_ABOUT "datasette.json"

/* `package`: the text of datapackage.json of the folder. */
enum err record_tables_write(
    struct str folder, struct str package, struct arena *arena, struct fail *fail);
