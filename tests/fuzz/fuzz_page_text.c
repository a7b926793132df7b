/* Any bytes as a stored page: the lines are UTF-8 without NUL, and within the bounds. */
#include "fuzz.h"

#include "base/mem.h"
#include "base/utf8.h"
#include "paper/page_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena arena;
    struct page_text page;
    arena_init(&arena);
    page_text_read(fuzz_text(data, size), &arena, &page);
    assert(page.count <= PAGE_TEXT_LINES_MAX);
    for (size_t i = 0; i < page.count; i++) {
        const struct page_line *line = &page.lines[i];
        assert(line->count >= 1 && line->count <= PAGE_TEXT_CELLS_MAX);
        assert(line->of_table || (line->count == 1 && line->cells[0].n && !line->is_title));
        for (size_t c = 0; c < line->count; c++) {
            assert(!str_is_null(line->cells[c]) && utf8_is_valid(line->cells[c]));
            assert(str_find_char(line->cells[c], '\0') < 0);
        }
    }
    for (int64_t number = 0; number < 3; number++) {
        ptrdiff_t at = page_text_find(&page, number);
        assert(at >= -1 && at < (ptrdiff_t)page.count);
    }
    arena_finish(&arena);
    return 0;
}
