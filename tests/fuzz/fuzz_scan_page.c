/* Bytes as a page: its size, then lines and spots that are drawn on it, up to a zero; the rest is
 * tesseract's table. Whatever stands on the page, each row has a place on it, a cell that was read
 * has a text, and one that was not has none. */
#include "fuzz.h"

#include "base/mem.h"
#include "scan/scan_page.h"

enum { SIDE_MIN = 300, STEP = 4, SPOTS_MAX = 400, WHITE = 255, LONG = 8 };

static void draw(struct str *rest, uint8_t *dots, int width, int height)
{
    for (int i = 0; i < SPOTS_MAX; i++) {
        int kind = fuzz_byte(rest);
        if (kind == 0)
            return;
        int left = STEP * fuzz_byte(rest), top = STEP * fuzz_byte(rest), size = fuzz_byte(rest);
        int wide = kind & 1 ? LONG * size : kind & 2 ? 2 : size;
        int high = kind & 1 ? 2 : kind & 2 ? LONG * size : size;
        for (int y = top; y < top + high && y < height; y++)
            for (int x = left; x < left + wide && x < width; x++)
                dots[y * width + x] = (uint8_t)(kind & 4 ? WHITE : kind >> 3);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str rest = fuzz_text(data, size);
    struct arena arena;
    struct scan_page page;
    struct gray gray = {
        .width = SIDE_MIN + 2 * fuzz_byte(&rest), .height = SIDE_MIN + 2 * fuzz_byte(&rest)};
    arena_init(&arena);
    uint8_t *dots = arena_alloc(&arena, (size_t)(gray.width * gray.height));
    memset(dots, WHITE, (size_t)(gray.width * gray.height));
    draw(&rest, dots, gray.width, gray.height);
    gray.dots = dots;
    scan_page_measure(&gray, &arena, &page);
    scan_page_text(&page, rest, &arena);
    assert(page.row_count <= SCAN_ROWS_MAX);
    assert(page.form != SCAN_FORM_NONE || (page.row_count == 0 && !str_is_null(page.reason)));
    for (size_t i = 0; i < page.row_count; i++) {
        assert(page_place_is_valid(&page.rows[i].place));
        for (int cell = 0; cell < CELL_COUNT; cell++)
            assert(
                (page.rows[i].source[cell].how == CELL_NOT_READ) ==
                str_is_null(page.rows[i].cell[cell]));
    }
    arena_finish(&arena);
    return 0;
}
