/* Any bytes as tesseract's table, for a sheet with three texts, which also are the looks of one
 * line: what a text gets is one line that shows all that it holds, and is not longer than it may
 * be. */
#include "fuzz.h"

#include "base/hidden.h"
#include "base/mem.h"
#include "scan/cell_text.h"
#include "scan/text_rows.h"

enum { TEXTS = 3 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sheet_text texts[TEXTS] = {
        {.area = {30, 30, 200, 60}}, {.area = {270, 30, 400, 60}}, {.area = {30, 90, 900, 130}}};
    const struct text_sheet sheet = {.text = texts, .count = TEXTS};
    struct arena arena;
    arena_init(&arena);
    const struct sheet_reading *readings = sheet_words_read(&sheet, fuzz_text(data, size), &arena);
    for (int i = 0; i < TEXTS; i++) {
        struct str cell;
        struct cell_source source;
        struct str text = readings[i].text;
        assert(str_is_null(text) || (hidden_free_line(text) && text.n <= SHEET_TEXT_SIZE_MAX));
        cell_text_date(&readings[i], i == 0, &arena, &cell, &source);
        assert((source.how == CELL_FROM_TEXT) == !str_is_null(cell));
        assert(source.how == CELL_NOT_READ || cell.n == sizeof "04/27/2021" - 1);
        cell_text_asset(&readings[i], &readings[0], &arena, &cell, &source);
        assert((source.how == CELL_FROM_TEXT) == !str_is_null(cell));
        cell_text_owner(&readings[i], i == 0, &arena, &cell, &source);
        assert((source.how == CELL_FROM_TEXT) == !str_is_null(cell));
    }
    struct scan_row row = {.place = {0}};
    const struct sheet_reading *looks[TEXT_LOOKS] = {&readings[0], &readings[1], &readings[2]};
    if (text_row_read(looks, &arena, &row))
        for (int i = 0; i < CELL_COUNT; i++)
            assert((row.source[i].how == CELL_FROM_TEXT) == !str_is_null(row.cell[i]));
    arena_finish(&arena);
    return 0;
}
