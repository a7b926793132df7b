/* Any bytes as poppler's graymap: if it is one, its PNG has all lines, and each dot the nearest of
 * the 4 or 16 grays. The first byte says where the faded lines end, and the depth. */
#include "fuzz.h"

#include <zlib.h>

#include "base/mem.h"
#include "scan/gray.h"

enum { SIZE_MAX_OUT = 1 << 20, IDAT_AT = 8 + 25 + 8, TAIL = 4 + 12, BYTE = 8 };

static void check_png(struct str png, const struct gray *gray, enum gray_depth depth, int from)
{
    int per_byte = BYTE / (int)depth, top = (1 << depth) - 1, step = 255 / top;
    uLongf line_n = 1 + (uLongf)((gray->width + per_byte - 1) / per_byte),
           n = line_n * (uLongf)gray->height;
    uint8_t *lines = mem_alloc(n);
    assert(png.n > IDAT_AT + TAIL);
    int result =
        uncompress(lines, &n, (const Bytef *)png.p + IDAT_AT, (uLong)(png.n - IDAT_AT - TAIL));
    assert(result == Z_OK && n == line_n * (uLongf)gray->height);
    for (int y = from; y < gray->height; y++)
        for (int x = 0; x < gray->width; x++) {
            uint8_t byte = lines[line_n * (uLongf)y + 1 + (uLongf)(x / per_byte)];
            int level = byte >> (BYTE - (int)depth * (1 + x % per_byte)) & top;
            int off = gray->dots[y * gray->width + x] - step * level;
            assert(off >= -step / 2 && off <= step / 2);
        }
    mem_free(lines);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct gray gray;
    struct str rest = fuzz_text(data, size);
    int from = fuzz_byte(&rest);
    enum gray_depth depth = from & 1 ? GRAY_4 : GRAY_16;
    if (!gray_read(rest, &gray))
        return 0;
    struct buf png;
    buf_init(&png, SIZE_MAX_OUT);
    if (gray_png_put(&png, &gray, depth, from, gray.height))
        check_png(buf_view(&png), &gray, depth, from);
    buf_reset(&png);
    bool room = gray_png_put_marked(&png, &gray, from, gray.height);
    assert(room == !png.overflow);
    buf_finish(&png);
    return 0;
}
