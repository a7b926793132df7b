/* What goes on the sheet; see sheet_items.h. */
#include "scan/sheet_items.h"

#include "base/mem.h"

enum {
    SCALE_LIST = 20, /* tenths: the small letters of typed lists */
    SCALE_FORM = 15,
    LINE_ROWS = 2,  /* rows whose dates share a line of the sheet */
    OWNER_LOOK = 1, /* of the dates: the one whose line has the owners */
};

const enum sheet_look sheet_date_looks[DATE_LOOKS] = {
    LOOK_THIN, LOOK_RAW, LOOK_WIDE, LOOK_LARGE, LOOK_SLANT};

/* How sure the program is of a name does not tell all that it misread. */
static const enum sheet_look asset_looks[ASSET_LOOKS] = {LOOK_SOFT, LOOK_HEAVY};

struct items {
    const struct bitmap *map;
    const struct page_table *table;
    const struct filled *filled;
    struct sheet_item *item;
    int count;
};

static void add(struct items *items, int band, struct sheet_text text, bool next)
{
    int column = text.cell == CELL_TYPE ? items->table->columns.nth[text.column] : text.column;
    text.area = cell_between(items->map, items->table, band, text.column);
    text.column = column;
    items->item[items->count++] = (struct sheet_item){.text = text, .next = next};
}

/* The names of the types, by the number of the type. */
static void add_head(struct items *items)
{
    const struct columns *columns = &items->table->columns;
    for (int c = 0; c < columns->count && items->filled->head >= 0; c++)
        if (columns->role[c] == COLUMN_TYPE)
            add(items, items->filled->head,
                (struct sheet_text){.row = SHEET_HEAD, .cell = CELL_TYPE, .column = c}, false);
}

/* The texts of a row's columns of this kind, in one look. */
static void add_texts(
    struct items *items, int row, enum column_role role, enum sheet_look look, bool *next)
{
    static const enum cell cells[] = {
        [COLUMN_OWNER] = CELL_OWNER,
        [COLUMN_ASSET] = CELL_ASSET,
        [COLUMN_DATE] = CELL_DATE,
        [COLUMN_NOTIFIED] = CELL_NOTIFIED,
    };
    const struct columns *columns = &items->table->columns;
    const struct filled_line *line = &items->filled->line[row];
    for (int c = 0; c < columns->count; c++)
        if (columns->role[c] == role && line->text[c]) {
            add(items, line->band,
                (struct sheet_text){.row = row, .cell = cells[role], .column = c, .look = look},
                *next);
            *next = true;
        }
}

/* A line of the sheet has one look: the program scales a line by its height, so it reads lines of
 * mixed sizes badly. Two letters of an owner are read better before a date than alone. */
static void add_dates(struct items *items, int first)
{
    int last = first + LINE_ROWS < items->filled->count ? first + LINE_ROWS : items->filled->count;
    for (int look = 0; look < DATE_LOOKS; look++) {
        bool next = false;
        for (int row = first; row < last; row++) {
            if (look == OWNER_LOOK)
                add_texts(items, row, COLUMN_OWNER, LOOK_SOFT, &next);
            add_texts(items, row, COLUMN_DATE, sheet_date_looks[look], &next);
            add_texts(items, row, COLUMN_NOTIFIED, sheet_date_looks[look], &next);
        }
    }
}

/* Names of assets may have two lines of their own. */
static void add_assets(struct items *items, int row)
{
    for (int look = 0; look < ASSET_LOOKS; look++) {
        bool next = false;
        add_texts(items, row, COLUMN_ASSET, asset_looks[look], &next);
    }
}

struct text_sheet sheet_items_make(
    const struct bitmap *map, const struct page_table *table, const struct filled *filled,
    bool names, struct arena *arena)
{
    size_t room = (size_t)(filled->count + 1) * (DATE_LOOKS + ASSET_LOOKS) * COLUMNS_MAX;
    struct items items = {map, table, filled, ARENA_ARRAY(arena, struct sheet_item, room), 0};
    if (names && filled->count > 0)
        add_head(&items);
    for (int row = 0; row < filled->count; row += LINE_ROWS)
        add_dates(&items, row);
    for (int row = 0; row < filled->count; row++)
        add_assets(&items, row);
    bool list = filled->form == SCAN_FORM_HOUSE_LIST;
    return sheet_make(map, items.item, items.count, list ? SCALE_LIST : SCALE_FORM, arena);
}
