/* Gray pictures; see gray.h. PNG: ISO/IEC 15948. */
#include "paper/gray.h"

#include <assert.h>
#include <zlib.h>

#include "base/mem.h"

enum {
    BRIGHTEST = 255,
    GRAYS = 16,
    STEP = BRIGHTEST / (GRAYS - 1),
    DOTS_PER_BYTE = 2,
    FADED_TENTHS = 3, /* of the darkness that is left */
    TENTHS = 10,
    IHDR_SIZE = 13,
    TAG_SIZE = 4,
};

/* --- the graymap: "P5", width, height and brightest value, each after white space */

static bool take_number(struct str *rest, int max, int *ret)
{
    size_t n = 0;
    int value = 0;
    while (n < rest->n && (rest->p[n] == ' ' || rest->p[n] == '\n'))
        n++;
    size_t digits = n;
    for (; n < rest->n && ascii_is_digit(rest->p[n]) && value <= max; n++)
        value = 10 * value + (rest->p[n] - '0');
    *rest = str_slice(*rest, n, rest->n);
    *ret = value;
    return n > digits && value >= 1 && value <= max;
}

bool gray_read(struct str graymap, struct gray *ret)
{
    int brightest;
    if (!str_starts(graymap, STR("P5")))
        return false;
    struct str rest = str_slice(graymap, 2, graymap.n);
    if (!take_number(&rest, GRAY_SIDE_MAX, &ret->width) ||
        !take_number(&rest, GRAY_SIDE_MAX, &ret->height) ||
        !take_number(&rest, BRIGHTEST, &brightest) || brightest != BRIGHTEST)
        return false;
    if (rest.n != 1 + (size_t)ret->width * (size_t)ret->height)
        return false;
    ret->dots = (const uint8_t *)rest.p + 1;
    return true;
}

/* --- PNG */

static void put_u32(struct buf *b, uint32_t value)
{
    for (int shift = 24; shift >= 0; shift -= 8)
        buf_char(b, (char)(value >> shift));
}

static void put_chunk(struct buf *b, const char *tag, struct str data)
{
    put_u32(b, (uint32_t)data.n);
    size_t from = b->n;
    buf_str(b, str_of(tag, TAG_SIZE));
    buf_str(b, data);
    if (b->overflow)
        return;
    struct str covered = str_slice(buf_view(b), from, b->n);
    put_u32(b, (uint32_t)crc32(0, (const Bytef *)covered.p, (uInt)covered.n));
}

static void put_header(struct buf *b, const struct gray *gray)
{
    char data[IHDR_SIZE];
    struct buf header = buf_over(data, sizeof data);
    put_u32(&header, (uint32_t)gray->width);
    put_u32(&header, (uint32_t)gray->height);
    /* 4 bits a dot, gray, and the only methods of compression, filters and order */
    buf_str(&header, str_of("\4\0\0\0\0", 5));
    put_chunk(b, "IHDR", buf_view(&header));
}

static uint8_t level_of(uint8_t dot, bool faded)
{
    unsigned dark = BRIGHTEST - dot;
    if (faded)
        dark = dark * FADED_TENTHS / TENTHS;
    return (uint8_t)((BRIGHTEST - dark + STEP / 2) / STEP);
}

/* Two dots a byte, the left one in the higher bits. */
static void pack_line(uint8_t *to, const struct gray *gray, int line, const uint8_t level[256])
{
    const uint8_t *dots = gray->dots + (size_t)line * (size_t)gray->width;
    for (int x = 0; x < gray->width; x += DOTS_PER_BYTE) {
        uint8_t right = x + 1 < gray->width ? level[dots[x + 1]] : 0;
        *to++ = (uint8_t)(level[dots[x]] << 4 | right);
    }
}

/* The lines, each after its filter: none, which suits print best. */
static uint8_t *pack(const struct gray *gray, int from, int to, size_t *ret_n)
{
    uint8_t levels[2][256];
    size_t line_n = 1 + ((size_t)gray->width + 1) / DOTS_PER_BYTE;
    *ret_n = line_n * (size_t)gray->height;
    uint8_t *packed = mem_alloc(*ret_n);
    for (int dot = 0; dot <= BRIGHTEST; dot++)
        for (int faded = 0; faded < 2; faded++)
            levels[faded][dot] = level_of((uint8_t)dot, faded);
    for (int line = 0; line < gray->height; line++) {
        uint8_t *at = packed + line_n * (size_t)line;
        *at = 0;
        pack_line(at + 1, gray, line, levels[line < from || line >= to]);
    }
    return packed;
}

bool gray_png_put(struct buf *b, const struct gray *gray, int from, int to)
{
    size_t packed_n;
    uint8_t *packed = pack(gray, from, to, &packed_n);
    uLongf small_n = compressBound(packed_n);
    uint8_t *small = mem_alloc(small_n);
    int result = compress2(small, &small_n, packed, packed_n, Z_BEST_COMPRESSION);
    assert(result == Z_OK);
    buf_str(b, STR("\x89PNG\r\n\x1a\n"));
    put_header(b, gray);
    put_chunk(b, "IDAT", str_of((const char *)small, small_n));
    put_chunk(b, "IEND", STR(""));
    mem_free(small);
    mem_free(packed);
    return !b->overflow;
}
