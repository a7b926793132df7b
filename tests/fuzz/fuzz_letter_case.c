/* Any bytes as a font's map, with the widths of Georgia or any others (the first byte): a repaired
 * map needs no repair, and its length changes by nothing. Then as text with stand-ins: both forms
 * are equal but for letter case. */
#include "fuzz.h"

#include "paper/letter_case.h"

enum { SIZE_MAX_OUT = 1 << 20, CAPITALS = 36, SMALL = 68 };

static void check_text(struct str text)
{
    struct buf page, file;
    buf_init(&page, SIZE_MAX_OUT);
    buf_init(&file, SIZE_MAX_OUT);
    letter_case_of_page(&page, text);
    letter_case_of_file(&file, text);
    assert(page.overflow || str_eq_nocase(buf_view(&page), buf_view(&file)));
    buf_finish(&page);
    buf_finish(&file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const int capital[] = {671, 654, 642, 749}, small[] = {504, 560, 454, 574};
    struct str map = fuzz_text(data, size);
    struct letter_case_font font = {{0}};
    struct buf once, twice;
    size_t count, again;
    bool known = fuzz_byte(&map) % 2;
    for (int i = 0; i < 4; i++) {
        font.width[CAPITALS + i] = known ? capital[i] : fuzz_byte(&map) * 4;
        font.width[SMALL + i] = known ? small[i] : fuzz_byte(&map) * 4;
    }
    buf_init(&once, SIZE_MAX_OUT);
    buf_init(&twice, SIZE_MAX_OUT);
    if (letter_case_repair(map, &font, &once, &count) && !once.overflow) {
        assert(count > 0 && once.n == map.n);
        assert(!letter_case_repair(buf_view(&once), &font, &twice, &again));
    } else {
        assert(once.overflow || (count == 0 && once.n == 0));
    }
    buf_finish(&once);
    buf_finish(&twice);
    check_text(map);
    return 0;
}
