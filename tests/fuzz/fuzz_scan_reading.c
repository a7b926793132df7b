/* Whatever is read on a scanned page, its reading is valid: every place is on the page, every text
 * is a line without hidden characters, and the parent takes it unchanged. */
#include "reading_check.h"

#include "base/hidden.h"
#include "paper/scan_reading.h"

enum { ROWS = 12, TURNS = 4, QUARTER = 90, SKEW_STEP = 30 };

static int take_side(struct str *rest)
{
    return (fuzz_byte(rest) - 8) * 45;
}

static void take_row(struct scan_row *row, struct str *rest)
{
    row->place =
        (struct page_place){take_side(rest), take_side(rest), take_side(rest), take_side(rest)};
    for (int c = 0; c < CELL_COUNT && rest->n; c++) {
        row->source[c].how = (enum cell_how)(fuzz_byte(rest) % CELL_ENTERED);
        row->cell[c] = fuzz_line(rest);
        if (fuzz_byte(rest) % 2)
            row->source[c].reason = fuzz_line(rest);
    }
}

static void check_row(const struct reading_row *row)
{
    assert(page_place_is_valid(&row->place) && row->source);
    for (int c = 0; c < CELL_COUNT; c++) {
        assert(row->source[c].how != CELL_ENTERED && row->source[c].reason.n <= CELL_REASON_MAX);
        assert(str_is_null(row->cell[c]) || hidden_free_line(row->cell[c]));
        assert(str_is_null(row->cell[c]) || row->source[c].how != CELL_NOT_READ);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct reading reading;
    struct str rest = fuzz_text(data, size);
    arena_init(&arena);
    struct scan_page page = {
        .form = (enum scan_form)(fuzz_byte(&rest) % SCAN_FORM_COUNT),
        .turn = fuzz_byte(&rest) % TURNS * QUARTER,
        .skew = SKEW_STEP * (fuzz_byte(&rest) - 128),
        .rows = ARENA_ARRAY(&arena, struct scan_row, ROWS),
    };
    if (page.form == SCAN_FORM_NONE)
        page.reason = fuzz_line(&rest);
    while (rest.n && page.row_count < ROWS)
        take_row(&page.rows[page.row_count++], &rest);
    scan_reading(&page, 1, &arena, &reading);
    assert(reading.page_count == 1 && reading.row_count <= page.row_count);
    for (size_t i = 0; i < reading.row_count; i++)
        check_row(&reading.rows[i]);
    reading_check_rows(&reading);
    reading_check_travels(&reading, &arena);
    arena_finish(&arena);
    return 0;
}
