/*
 * The cells of one row as JSON: the `printed` of a row, as it is stored and as callers see it.
 */
#pragma once

#include "base/json_in.h"
#include "base/json_out.h"
#include "paper/cell/cell.h"

/* Writes the cells as a JSON object without the null ones. */
void cells_put(struct buf *b, const struct str cells[static CELL_COUNT]);
void cells_put_value(struct json_out *j, const struct str cells[static CELL_COUNT]);

/* Reads the cells back from the `printed` of a stored row, in the arena. Rows of the Senate dump
 * that were stored before their markup was removed (dump_row_cells) give text, like every
 * other row. false: null, or not such an object; then all cells are null. Unknown names are
 * ignored. */
bool cells_read(struct str printed, struct arena *arena, struct str ret[static CELL_COUNT]);

/* The `printed` of a stored row as callers see it, in the arena or unchanged: cells_put of
 * cells_read for a row of the dump, any other row as it is. */
struct str cells_shown(struct str printed, struct arena *arena);

/*
 * A row of the Senate Stock Watcher dump (sources.md 4) as cells of text. The dump's members hold
 * the page's markup: links around symbols, detail lines in <div class="text-muted">, entities. Its
 * rows get the cells that paper/senate_page.c reads from the page itself, except the number of the
 * row, which the dump does not have.
 */

/* Fills `ret`, in the arena. A missing or null member is a null cell; a member of another type is
 * an error of `j`. */
void dump_row_cells(
    struct json_in *j, const json_t *row, struct arena *arena, struct str ret[static CELL_COUNT]);
