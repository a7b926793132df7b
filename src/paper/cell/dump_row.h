/*
 * A row of the Senate Stock Watcher dump (sources.md 4) as cells of text. The dump's members hold
 * the page's markup: links around symbols, detail lines in <div class="text-muted">, entities. Its
 * rows get the cells that paper/senate_page.c reads from the page itself, except the number of the
 * row, which the dump does not have.
 */
#pragma once

#include "base/json_in.h"
#include "base/mem.h"
#include "paper/cell/cell.h"

/* Fills `ret`, in the arena. A missing or null member is a null cell; a member of another type is
 * an error of `j`. */
void dump_row_cells(
    struct json_in *j, const json_t *row, struct arena *arena, struct str ret[static CELL_COUNT]);

/* Whether the object has a member that only rows of the dump have. */
bool dump_row_is(struct json_in *j, const json_t *row);

/* false: the JSON text is certainly not a row of the dump. Cheap: does not parse it. */
bool dump_row_may_be(struct str json);
