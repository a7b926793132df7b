/*
 * Chooses the texts of a page for the sheet, and their looks. Private to src/scan.
 */
#pragma once

#include "scan/filled.h"
#include "scan/sheet.h"

/* The looks of a date, and those of the name of an asset. */
enum { DATE_LOOKS = 5, ASSET_LOOKS = 2 };
extern const enum sheet_look sheet_date_looks[DATE_LOOKS];

/* The sheet of the filled lines' texts, in the arena. `names`: with the names of the types in the
 * table's head. `map` is the page without lines. */
struct text_sheet sheet_items_make(
    const struct bitmap *map, const struct page_table *table, const struct filled *filled,
    bool names, struct arena *arena);
