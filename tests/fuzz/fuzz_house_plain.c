/* Any text as that of a House report: a scan, or rows numbered from the top, each with a type, two
 * dates and an amount. */
#include "reading_check.h"

#include "paper/readers.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct reading reading;
    arena_init(&arena);
    house_plain_read(fuzz_text(data, size), &arena, &reading);
    assert(reading.kind == READING_HOUSE_PTR || reading.kind == READING_HOUSE_SCAN);
    reading_check_rows(&reading);
    for (size_t i = 0; i < reading.row_count; i++) {
        const struct reading_row *row = &reading.rows[i];
        assert(row->row == (int)i + 1 && row->page >= 1);
        assert(row->cell[CELL_TYPE].n && row->cell[CELL_DATE].n && row->cell[CELL_NOTIFIED].n);
        assert(row->cell[CELL_AMOUNT].n > 1 && row->cell[CELL_AMOUNT].p[0] == '$');
    }
    reading_check_travels(&reading, &arena);
    arena_finish(&arena);
    return 0;
}
