/* Gray pictures: reading poppler's graymaps, and writing PNGs with 16 and 4 grays,
 * and with marked lines. */
#include "unit.h"

#include <string.h>
#include <zlib.h>

#include "scan/gray.h"

enum { PNG_MAX = 4096, IDAT_AT = 8 + 25 + 8, IDAT_TAIL = 4 + 12 };

static void graymaps_are_read(void **state)
{
    struct gray gray;
    assert_true(gray_read(str_of("P5\n3 2\n255\nabcdef", 17), &gray));
    assert_int_equal(gray.width, 3);
    assert_int_equal(gray.height, 2);
    assert_memory_equal(gray.dots, "abcdef", 6);
}

static void anything_else_is_none(void **state)
{
    static const char *const texts[] = {
        "",
        "P5",
        "P6\n1 1\n255\na",
        "P5\n1 1\n255\n",
        "P5\n1 1\n255\nab",
        "P5\n0 1\n255\n",
        "P5\n-1 1\n255\na",
        "P5\n1 1\n15\na",
        "P5\n20001 1\n255\na",
        "P5\n99999999999999999999 1\n255\na",
        "P5\n1\n255\na",
    };
    struct gray gray;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (gray_read(str_from(texts[i]), &gray))
            fail_msg("%s", texts[i]);
}

/* The lines of the PNG, each with its filter's byte. */
static void lines_of(const struct buf *png, uint8_t *ret, size_t n)
{
    uLongf size = n;
    assert_memory_equal(png->p, "\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 16);
    assert_memory_equal(png->p + png->n - 8, "IEND\xae\x42\x60\x82", 8);
    assert_int_equal(
        uncompress(
            ret, &size, (const Bytef *)png->p + IDAT_AT, (uLong)(png->n - IDAT_AT - IDAT_TAIL)),
        Z_OK);
    assert_int_equal(size, n);
}

static void lines_around_the_row_are_faded(void **state)
{
    static const uint8_t dots[] = {0, 255, 119, 0, 255, 119, 0, 255, 119};
    const struct gray gray = {.width = 3, .height = 3, .dots = dots};
    static const uint8_t expected[] = {0, 0xbf, 0xd0, 0, 0x0f, 0x70, 0, 0xbf, 0xd0};
    uint8_t lines[sizeof expected];
    struct buf png;
    buf_init(&png, PNG_MAX);
    assert_true(gray_png_put(&png, &gray, GRAY_16, 1, 2));
    lines_of(&png, lines, sizeof lines);
    assert_memory_equal(lines, expected, sizeof expected);
    buf_reset(&png);
    assert_true(gray_png_put(&png, &gray, GRAY_16, 0, 3));
    lines_of(&png, lines, sizeof lines);
    assert_memory_equal(lines + 3, expected + 3, 3);
    assert_memory_equal(lines, expected + 3, 3);
    buf_finish(&png);
}

static void four_dots_are_a_byte_with_four_grays(void **state)
{
    static const uint8_t dots[] = {0, 255, 127, 128, 42, 0, 255, 127, 128, 43};
    const struct gray gray = {.width = 5, .height = 2, .dots = dots};
    /* dark dots are faded to the second brightest gray, the others to white */
    static const uint8_t expected[] = {0, 0xbf, 0x80, 0, 0x36, 0x40};
    uint8_t lines[sizeof expected];
    struct buf png;
    buf_init(&png, PNG_MAX);
    assert_true(gray_png_put(&png, &gray, GRAY_4, 1, 2));
    lines_of(&png, lines, sizeof lines);
    assert_memory_equal(lines + 3, expected + 3, 3);
    assert_memory_equal(lines, expected, 3);
    buf_finish(&png);
}

static void lines_of_the_row_are_marked(void **state)
{
    enum { PALETTE_N = 4 + 4 + 96 + 4 };
    static const uint8_t dots[] = {0, 255, 119, 0, 255, 119};
    const struct gray gray = {.width = 3, .height = 2, .dots = dots};
    static const uint8_t expected[] = {0, 0, 15, 7, 0, 16, 31, 23};
    uint8_t lines[sizeof expected];
    uLongf size = sizeof lines;
    struct buf png;
    buf_init(&png, PNG_MAX);
    assert_true(gray_png_put_marked(&png, &gray, 1, 2));
    const uint8_t *bytes = (const uint8_t *)png.p;
    assert_memory_equal(bytes + 24, "\10\3\0\0\0", 5);
    const uint8_t *colours = bytes + IDAT_AT;
    assert_memory_equal(colours - 4, "PLTE", 4);
    assert_memory_equal(colours + 45, "\377\377\377\0\0\0", 6);
    assert_memory_equal(colours + 93, "\377\350\163", 3);
    assert_int_equal(
        uncompress(
            lines, &size, bytes + IDAT_AT + PALETTE_N,
            (uLong)(png.n - IDAT_AT - PALETTE_N - IDAT_TAIL)),
        Z_OK);
    assert_int_equal(size, sizeof expected);
    assert_memory_equal(lines, expected, sizeof expected);
    buf_finish(&png);
}

static void full_buffer_is_reported(void **state)
{
    static const uint8_t dots[] = {0};
    const struct gray gray = {.width = 1, .height = 1, .dots = dots};
    struct buf png;
    buf_init(&png, 20);
    assert_false(gray_png_put(&png, &gray, GRAY_16, 0, 1));
    buf_finish(&png);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(graymaps_are_read),
        cmocka_unit_test(anything_else_is_none),
        cmocka_unit_test(lines_around_the_row_are_faded),
        cmocka_unit_test(four_dots_are_a_byte_with_four_grays),
        cmocka_unit_test(lines_of_the_row_are_marked),
        cmocka_unit_test(full_buffer_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
