/* One row of the dump to one row of a draft. */
#pragma once

#include "base/mem.h"
#include "core/draft.h"
#include "base/json_in.h"

/* NULL, or why the row cannot be read (in the arena). A row that is not built like one is a
 * complaint in *j: then the file is not the one it should be. `ret->row` is set by the caller. */
const char *stock_watcher_row_read(
    struct arena *arena, struct json_in *j, const json_t *row, struct draft_row *ret);
