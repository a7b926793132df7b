/* Any bytes as poppler's graymap: if it is one, its PNG has all lines, and each dot the nearest of
 * the 16 grays. The first byte says where the faded lines end. */
#include "fuzz.h"

#include <zlib.h>

#include "base/mem.h"
#include "paper/gray.h"

enum { SIZE_MAX_OUT = 1 << 20, IDAT_AT = 8 + 25 + 8, TAIL = 4 + 12, STEP = 17 };

static void check_png(struct str png, const struct gray *gray, int from)
{
    uLongf line_n = 1 + ((uLongf)gray->width + 1) / 2, n = line_n * (uLongf)gray->height;
    uint8_t *lines = mem_alloc(n);
    assert(png.n > IDAT_AT + TAIL);
    int result =
        uncompress(lines, &n, (const Bytef *)png.p + IDAT_AT, (uLong)(png.n - IDAT_AT - TAIL));
    assert(result == Z_OK && n == line_n * (uLongf)gray->height);
    for (int y = from; y < gray->height; y++)
        for (int x = 0; x < gray->width; x++) {
            uint8_t both = lines[line_n * (uLongf)y + 1 + (uLongf)x / 2];
            int level = x % 2 ? both & 15 : both >> 4;
            int off = gray->dots[y * gray->width + x] - STEP * level;
            assert(off >= -STEP / 2 && off <= STEP / 2);
        }
    mem_free(lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gray gray;
    struct str rest = fuzz_text(data, size);
    int from = fuzz_byte(&rest);
    if (!gray_read(rest, &gray))
        return 0;
    struct buf png;
    buf_init(&png, SIZE_MAX_OUT);
    if (gray_png_put(&png, &gray, from, gray.height))
        check_png(buf_view(&png), &gray, from);
    buf_finish(&png);
    return 0;
}
