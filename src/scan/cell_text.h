/*
 * Converts the text that the OCR program read in a cell into the words of electronic reports. A
 * text that is not valid in its column counts as not read. Private to src/scan.
 */
#pragma once

#include "paper/cell/cell_source.h"
#include "scan/scan_row.h"
#include "scan/sheet_items.h"

/* "4/7/21" as "04/07/2021", in the arena; null: it is no date. */
struct str cell_text_day(struct str text, struct arena *arena);

/* The next three write the cell and how it was read, or the reason why not. `sure`: other evidence
 * confirms the date, because the OCR program's own confidence in digits means nothing. `typed`: a
 * misread letter is no doubt of the owner; JT by hand may look like SP. */
void cell_text_date(
    const struct sheet_reading *reading, bool sure, struct arena *arena, struct str *ret,
    struct cell_source *ret_source);
void cell_text_owner(
    const struct sheet_reading *reading, bool typed, struct arena *arena, struct str *ret,
    struct cell_source *ret_source);

/* `other`: the same text, read in another look. A name that is read may get a doubt. */
void cell_text_asset(
    const struct sheet_reading *reading, const struct sheet_reading *other, struct arena *arena,
    struct str *ret, struct cell_source *ret_source);

/* The Senate's form writes the number of the row and the owner before the asset: "2 | (S) Acme".
 * Moves the owner to its own cell. The name gets a doubt: there, tesseract is sure of wrong ones.
 */
void cell_text_senate(struct arena *arena, struct scan_row *row);
