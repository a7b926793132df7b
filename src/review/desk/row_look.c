/* Rows to look at twice; see row_look.h. */
#include "review/desk/row_look.h"

/* In the order of forms. */
static const enum cell fields[] = {
    CELL_ASSET,    CELL_TICKER, CELL_TYPE,       CELL_AMOUNT,       CELL_DATE,
    CELL_NOTIFIED, CELL_OWNER,  CELL_ASSET_TYPE, CELL_ASSET_DETAIL,
};

size_t unsure_fields(
    const struct draft_row_stored *row, struct arena *arena,
    struct unsure_field ret[static CELL_COUNT])
{
    struct cell_source sources[CELL_COUNT];
    size_t count = 0;
    if (row->removed || !cell_sources_read(row->sources, arena, sources))
        return 0;
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const struct cell_source *source = &sources[fields[i]];
        bool missing = fields[i] == CELL_DATE && source->how == CELL_NOT_READ;
        if (missing || source->reason.n)
            ret[count++] = (struct unsure_field){fields[i], *source};
    }
    return count;
}

static bool is_obstacle(const struct obstacle_list *obstacles, int row)
{
    for (size_t i = 0; i < obstacles->count; i++)
        if (obstacles->items[i].row == row)
            return true;
    return false;
}

bool row_needs_look(
    const struct difference_item *item, const struct obstacle_list *obstacles, struct arena *arena)
{
    struct unsure_field unsure[CELL_COUNT];
    const struct draft_row_stored *row = item->row;
    return row && (row->held.n || !str_eq(row->doubts, STR("[]")) ||
                   is_obstacle(obstacles, row->row) || unsure_fields(row, arena, unsure) > 0);
}
