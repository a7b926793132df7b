/* Rows of the dump as cells; see dump_row.h. */
#include "paper/cell/dump_row.h"

#include "paper/cell/html_cell.h"

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

bool dump_row_is(struct json_in *j, const json_t *row)
{
    return !str_is_null(json_in_opt_str(j, row, mark.p));
}

bool dump_row_may_be(struct str json)
{
    return str_find(json, mark) >= 0 || str_find(json, STR("\\u")) >= 0; /* escaped letters */
}
