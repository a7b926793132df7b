/* Gray pictures; see gray.h. PNG: ISO/IEC 15948. */
#include "scan/gray.h"

#include <assert.h>
#include <zlib.h>

#include "base/mem.h"

enum {
    BRIGHTEST = 255,
    BYTE_BITS = 8,
    FADED_TENTHS = 3, /* of the darkness that is left */
    TENTHS = 10,
    IHDR_SIZE = 13,
    TAG_SIZE = 4,
    GRAYS = 16,   /* of a picture with marked lines, */
    PALETTE = 3,  /* whose dots are numbers of colours: these grays, and the same on yellow */
    COLOUR_N = 3, /* red, green, blue */
};

/* What stands for each gray in a PNG. */
struct gray_look {
    int bits;              /* of a dot: 2, 4, 8 */
    int from, to;          /* lines */
    uint8_t value[2][256]; /* outside of these lines, and between them */
};

static const uint8_t marker[COLOUR_N] = {255, 232, 115};

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

static void put_header(struct buf *b, const struct gray *gray, int bits, int colours)
{
    char data[IHDR_SIZE];
    struct buf header = buf_over(data, sizeof data);
    put_u32(&header, (uint32_t)gray->width);
    put_u32(&header, (uint32_t)gray->height);
    buf_char(&header, (char)bits);
    buf_char(&header, (char)colours);
    /* the only methods of compression, filters and order */
    buf_str(&header, str_of("\0\0\0", 3));
    put_chunk(b, "IHDR", buf_view(&header));
}

static void put_palette(struct buf *b)
{
    char data[2 * GRAYS * COLOUR_N];
    struct buf colours = buf_over(data, sizeof data);
    for (int i = 0; i < 2 * GRAYS; i++)
        for (int c = 0; c < COLOUR_N; c++)
            buf_char(
                &colours, (char)(i % GRAYS * (i < GRAYS ? BRIGHTEST : marker[c]) / (GRAYS - 1)));
    put_chunk(b, "PLTE", buf_view(&colours));
}

static uint8_t level_of(uint8_t dot, enum gray_depth depth, bool faded)
{
    unsigned step = BRIGHTEST / ((1U << depth) - 1);
    unsigned dark = BRIGHTEST - dot;
    if (faded)
        dark = dark * FADED_TENTHS / TENTHS;
    return (uint8_t)((BRIGHTEST - dark + step / 2) / step);
}

/* One, two or four dots a byte, the leftmost one in the highest bits. `to` is zero. */
static void pack_line(
    uint8_t *to, const struct gray *gray, int bits, int line, const uint8_t value[256])
{
    const uint8_t *dots = gray->dots + (size_t)line * (size_t)gray->width;
    int shift = BYTE_BITS;
    for (int x = 0; x < gray->width; x++) {
        shift -= bits;
        *to |= (uint8_t)(value[dots[x]] << shift);
        if (shift == 0) {
            shift = BYTE_BITS;
            to++;
        }
    }
}

/* The lines, each after its filter: none, which suits print best. */
static uint8_t *pack(const struct gray *gray, const struct gray_look *look, size_t *ret_n)
{
    size_t line_n = 1 + ((size_t)gray->width * (size_t)look->bits + BYTE_BITS - 1) / BYTE_BITS;
    *ret_n = line_n * (size_t)gray->height;
    uint8_t *packed = mem_zalloc(*ret_n);
    for (int line = 0; line < gray->height; line++) {
        uint8_t *at = packed + line_n * (size_t)line;
        bool between = line >= look->from && line < look->to;
        pack_line(at + 1, gray, look->bits, line, look->value[between]);
    }
    return packed;
}

static bool put_png(
    struct buf *b, const struct gray *gray, const struct gray_look *look, int colours)
{
    size_t packed_n;
    MEM_FREED uint8_t *packed = pack(gray, look, &packed_n);
    uLongf small_n = compressBound(packed_n);
    MEM_FREED uint8_t *small = mem_alloc(small_n);
    int result = compress2(small, &small_n, packed, packed_n, Z_BEST_COMPRESSION);
    assert(result == Z_OK);
    buf_str(b, STR("\x89PNG\r\n\x1a\n"));
    put_header(b, gray, look->bits, colours);
    if (colours == PALETTE)
        put_palette(b);
    put_chunk(b, "IDAT", str_of((const char *)small, small_n));
    put_chunk(b, "IEND", STR(""));
    return !b->overflow;
}

bool gray_png_put(struct buf *b, const struct gray *gray, enum gray_depth depth, int from, int to)
{
    struct gray_look look = {.bits = (int)depth, .from = from, .to = to};
    for (int dot = 0; dot <= BRIGHTEST; dot++)
        for (int between = 0; between < 2; between++)
            look.value[between][dot] = level_of((uint8_t)dot, depth, !between);
    return put_png(b, gray, &look, 0);
}

bool gray_png_put_marked(struct buf *b, const struct gray *gray, int from, int to)
{
    struct gray_look look = {.bits = BYTE_BITS, .from = from, .to = to};
    for (int dot = 0; dot <= BRIGHTEST; dot++)
        for (int between = 0; between < 2; between++)
            look.value[between][dot] =
                (uint8_t)(level_of((uint8_t)dot, GRAY_16, false) + between * GRAYS);
    return put_png(b, gray, &look, PALETTE);
}
