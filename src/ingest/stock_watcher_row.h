/* Converts one row of the dump into one row of a draft. */
#pragma once

#include "base/json_in.h"
#include "base/mem.h"
#include "rule/draft.h"

/* Returns NULL, or why the row is refused (in the arena). A row with the wrong structure is a
 * complaint in *j, because the file is then not the dump. The caller sets `ret->row`. */
const char *stock_watcher_row_read(
    struct arena *arena, struct json_in *j, const json_t *row, struct draft_row *ret);
