/* Cells as JSON; see cells.h. */
#include "paper/cell/cells.h"

#include "paper/cell/html_cell.h"

/* Rows of the dump as cells. */

/* No cell has this name (paper/cell/cell.c), and every row of the dump has it. */
static const struct str mark = STR_INIT("asset_description");

/* The parts of a member that become cells. A part that is empty is a null cell, if it is optional.
 */
static const struct {
    const char *member;
    enum cell cell;
    enum html_cell_part part;
    bool optional;
} parts[] = {
    {"owner", CELL_OWNER, HTML_CELL_ALL, false},
    {"ticker", CELL_TICKER, HTML_CELL_FIRST_LINE, false},
    {"ticker", CELL_TICKER_TWO, HTML_CELL_OTHER_LINES, true},
    {"asset_description", CELL_ASSET, HTML_CELL_HEAD, false},
    {"asset_description", CELL_ASSET_DETAIL, HTML_CELL_DETAIL, true},
    {"asset_type", CELL_ASSET_TYPE, HTML_CELL_ALL, false},
    {"type", CELL_TYPE, HTML_CELL_ALL, false},
    {"transaction_date", CELL_DATE, HTML_CELL_ALL, false},
    {"amount", CELL_AMOUNT, HTML_CELL_ALL, false},
    {"comment", CELL_COMMENT, HTML_CELL_ALL, false},
};

void dump_row_cells(
    struct json_in *j, const json_t *row, struct arena *arena, struct str ret[static CELL_COUNT])
{
    for (int c = 0; c < CELL_COUNT; c++)
        ret[c] = STR_NULL;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct str printed = json_in_opt_str(j, row, parts[i].member);
        if (str_is_null(printed))
            continue;
        struct str text = html_cell_text(arena, printed, parts[i].part);
        if (text.n || !parts[i].optional)
            ret[parts[i].cell] = text.n ? text : STR("");
    }
}

/* Whether the object has a member that only rows of the dump have. */
static bool dump_row_is(struct json_in *j, const json_t *row)
{
    return !str_is_null(json_in_opt_str(j, row, mark.p));
}

/* false: the JSON text is certainly not a row of the dump. Cheap: does not parse it. */
static bool dump_row_may_be(struct str json)
{
    return str_find(json, mark) >= 0 || str_find(json, STR("\\u")) >= 0; /* escaped letters */
}

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
    SCOPED(json_in_close) struct json_in j;
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
