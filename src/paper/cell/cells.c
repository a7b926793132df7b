/* Cells as JSON; see cells.h. */
#include "paper/cell/cells.h"

#include "base/json_in.h"
#include "paper/cell/dump_row.h"

void cells_put_value(struct json_out *j, const struct str cells[static CELL_COUNT])
{
    json_object_begin(j);
    for (int c = 0; c < CELL_COUNT; c++)
        if (!str_is_null(cells[c])) {
            json_key(j, cell_name((enum cell)c));
            json_str(j, cells[c]);
        }
    json_object_end(j);
}

void cells_put(struct buf *b, const struct str cells[static CELL_COUNT])
{
    struct json_out j;
    json_init(&j, b);
    cells_put_value(&j, cells);
}

static void forget(struct str cells[static CELL_COUNT])
{
    for (int c = 0; c < CELL_COUNT; c++)
        cells[c] = STR_NULL;
}

/* *ret_dump: it is a row of the dump, as older versions stored it. */
static bool read_cells(
    struct str printed, struct arena *arena, struct str ret[static CELL_COUNT], bool *ret_dump)
{
    struct json_in j;
    struct fail ignored = {0};
    forget(ret);
    if (json_in_open_object(&j, STR("printed"), printed, &ignored))
        return false;
    *ret_dump = dump_row_is(&j, j.root);
    if (*ret_dump)
        dump_row_cells(&j, j.root, arena, ret);
    else
        for (int c = 0; c < CELL_COUNT; c++)
            ret[c] = arena_str(arena, json_in_opt_str(&j, j.root, cell_name((enum cell)c).p));
    bool sound = !j.err;
    if (!sound)
        forget(ret);
    json_in_close(&j);
    return sound;
}

bool cells_read(struct str printed, struct arena *arena, struct str ret[static CELL_COUNT])
{
    bool dump;
    return read_cells(printed, arena, ret, &dump);
}

struct str cells_shown(struct str printed, struct arena *arena)
{
    struct str cells[CELL_COUNT];
    bool dump;
    if (!dump_row_may_be(printed) || !read_cells(printed, arena, cells, &dump) || !dump)
        return printed;
    BUF_SCOPED(b, 16 * printed.n);
    cells_put(&b, cells);
    return arena_str(arena, buf_view(&b));
}
