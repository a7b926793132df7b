/* Any bytes as a Senate page: the viewer of a paper report, an error, or rows with every cell of
 * the table. The result passes the parent's checks. */
#include "reading_check.h"

#include "paper/second_reading.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct reading reading;
    arena_init(&arena);
    senate_page_read_twice(fuzz_text(data, size), &arena, &reading);
    assert(
        reading.kind == READING_SENATE_PTR || reading.kind == READING_SENATE_PAPER ||
        reading.kind == READING_REFUSED);
    reading_check_rows(&reading);
    for (size_t i = 0; i < reading.row_count; i++) {
        const struct str *cell = reading.rows[i].cell;
        assert(reading.rows[i].page == 0 && reading.rows[i].status == READING_NEW);
        for (int c = CELL_ID; c <= CELL_AMOUNT; c++)
            if (c != CELL_TICKER_TWO && c != CELL_ASSET_STORED && c != CELL_ASSET_DETAIL &&
                c != CELL_NOTIFIED)
                assert(!str_is_null(cell[c]));
        assert(!str_is_null(cell[CELL_COMMENT]));
    }
    reading_check_travels(&reading, &arena);
    arena_finish(&arena);
    return 0;
}
