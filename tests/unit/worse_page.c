/* Worse pages; see worse_page.h. */
#include "worse_page.h"

#include <leptonica/allheaders.h>
#include <stdlib.h>

enum {
    WHITE = 255,
    QUARTER = 90,
    RANDOM_FACTOR = 1103515245,
    RANDOM_STEP = 12345,
    RANDOM_SHIFT = 16,
    RANDOM_SIZE = 32768,
    THOUSAND = 1000,
    INVERTED = 20, /* of a thousand dots */
    BLUR = 2,      /* dots, on all sides */
    JPEG_QUALITY = 12,
    MIDDLE_GRAY = 128,
    PALE = 70, /* as black as this is ink on a pale copy */
    DEEP = 215,
    PAPER = 200, /* the gray of the paper of a dark copy */
    COPY_NOISE = 4,
};

#define RADIANS 0.0174532925F

static const struct str names[WORSE_COUNT] = {
    [WORSE_NONE] = STR_INIT("none"),   [WORSE_NOISE] = STR_INIT("noise"),
    [WORSE_BLUR] = STR_INIT("blur"),   [WORSE_JPEG] = STR_INIT("jpeg"),
    [WORSE_HALF] = STR_INIT("half"),   [WORSE_FAX] = STR_INIT("fax"),
    [WORSE_LIGHT] = STR_INIT("light"), [WORSE_DARK] = STR_INIT("dark"),
};

enum worse_kind worse_kind_of(struct str name)
{
    int kind = 0;
    while (kind < WORSE_COUNT && !str_eq(names[kind], name))
        kind++;
    return (enum worse_kind)kind;
}

static void invert_some(PIX *page, int of_thousand)
{
    uint32_t random = 1;
    for (int y = 0; y < pixGetHeight(page); y++)
        for (int x = 0; x < pixGetWidth(page); x++) {
            l_uint32 dot;
            random = random * RANDOM_FACTOR + RANDOM_STEP;
            if ((int)((random >> RANDOM_SHIFT) % RANDOM_SIZE % THOUSAND) >= of_thousand)
                continue;
            pixGetPixel(page, x, y, &dot);
            pixSetPixel(page, x, y, WHITE - dot);
        }
}

/* Dots darker than the level become black, all others white. */
static PIX *black_and_white(PIX *page, int level)
{
    PIX *binary = pixThresholdToBinary(page, level);
    PIX *gray = pixConvert1To8(NULL, binary, WHITE, 0);
    pixDestroy(&binary);
    return gray;
}

static PIX *noise(PIX *page)
{
    PIX *ret = pixBlockconv(page, 1, 1);
    invert_some(ret, INVERTED);
    return ret;
}

static PIX *blur(PIX *page)
{
    return pixBlockconv(page, BLUR, BLUR);
}

static PIX *jpeg(PIX *page)
{
    l_uint8 *bytes = NULL;
    size_t size = 0;
    pixWriteMemJpeg(&bytes, &size, page, JPEG_QUALITY, 0);
    PIX *ret = pixReadMemJpeg(bytes, size, 0, 1, NULL, 0);
    lept_free(bytes);
    return ret;
}

static PIX *half(PIX *page)
{
    PIX *small = pixScaleAreaMap(page, 0.5F, 0.5F), *ret = pixScale(small, 2, 2);
    pixDestroy(&small);
    return ret;
}

static PIX *fax(PIX *page)
{
    PIX *small = pixScaleAreaMap(page, 0.5F, 0.5F);
    PIX *binary = black_and_white(small, MIDDLE_GRAY), *ret = pixExpandReplicate(binary, 2);
    pixDestroy(&small);
    pixDestroy(&binary);
    return ret;
}

static PIX *light(PIX *page)
{
    PIX *soft = pixBlockconv(page, 1, 1), *ret = black_and_white(soft, PALE);
    pixDestroy(&soft);
    return ret;
}

static PIX *dark(PIX *page)
{
    PIX *soft = pixBlockconv(page, 1, 1), *ret = black_and_white(soft, DEEP);
    pixDestroy(&soft);
    invert_some(ret, COPY_NOISE);
    pixMultConstantGray(ret, (float)PAPER / WHITE);
    return ret;
}

static PIX *(*const ways[WORSE_COUNT])(PIX *page) = {
    [WORSE_NOISE] = noise, [WORSE_BLUR] = blur,   [WORSE_JPEG] = jpeg, [WORSE_HALF] = half,
    [WORSE_FAX] = fax,     [WORSE_LIGHT] = light, [WORSE_DARK] = dark,
};

struct gray worse_page(
    const struct gray *page, int turn, double skew, enum worse_kind kind, struct arena *arena)
{
    PIX *pix = pixCreate(page->width, page->height, 8);
    for (int y = 0; y < page->height; y++)
        for (int x = 0; x < page->width; x++)
            pixSetPixel(pix, x, y, page->dots[(size_t)y * (size_t)page->width + (size_t)x]);
    PIX *turned = pixRotateOrth(pix, turn / QUARTER);
    PIX *skewed =
        pixRotate(turned, (float)skew * RADIANS, L_ROTATE_AREA_MAP, L_BRING_IN_WHITE, 0, 0);
    PIX *worse = ways[kind] ? ways[kind](skewed) : pixClone(skewed);
    struct gray ret = {.width = pixGetWidth(worse), .height = pixGetHeight(worse)};
    uint8_t *dots = arena_alloc(arena, (size_t)ret.width * (size_t)ret.height);
    for (int y = 0; y < ret.height; y++)
        for (int x = 0; x < ret.width; x++) {
            l_uint32 dot;
            pixGetPixel(worse, x, y, &dot);
            dots[(size_t)y * (size_t)ret.width + (size_t)x] = (uint8_t)dot;
        }
    ret.dots = dots;
    pixDestroy(&pix);
    pixDestroy(&turned);
    pixDestroy(&skewed);
    pixDestroy(&worse);
    return ret;
}
