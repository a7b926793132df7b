/* Pictures of pages; see picture.h. */
#include "scan/picture.h"

#include <assert.h>

enum {
    SIDE_LEAST = 300,
    SHAPE_MAX = 4, /* the long side to the short one */
    GRAYS = 256,
    THRESHOLD_MIN = 100,
    THRESHOLD_MAX = 190,
    WHITE = 255,
    LINE_MIN = 45, /* dots: no stroke of a letter is as long and straight */
};

#define SKEW_MAX 6.0F        /* degrees */
#define SKEW_STEP 0.5F       /* of the first search */
#define SKEW_DELTA 0.01F     /* where the second one ends */
#define SKEW_CONFIDENCE 2.5F /* of the library, in its own measure */
#define DEGREE 0.0174532925F

static PIX *pix_checked(PIX *pix)
{
    assert(pix); /* no memory: the sizes were checked */
    return pix;
}

static PIX *copy_of(const struct gray *gray)
{
    PIX *pix = pix_checked(pixCreate(gray->width, gray->height, 8));
    l_uint32 *data = pixGetData(pix);
    int words = pixGetWpl(pix);
    for (int y = 0; y < gray->height; y++) {
        l_uint32 *line = data + (size_t)y * (size_t)words;
        const uint8_t *from = gray->dots + (size_t)y * (size_t)gray->width;
        for (int x = 0; x < gray->width; x++)
            SET_DATA_BYTE(line, x, from[x]);
    }
    return pix;
}

static float scale_of(int side)
{
    if (side > PICTURE_SIDE_MAX)
        return (float)PICTURE_SIDE / (float)side;
    if (side < PICTURE_SIDE_MIN)
        return side * 2 < PICTURE_SIDE ? 2.0F : (float)PICTURE_SIDE / (float)side;
    return 1.0F;
}

PIX *picture_of_gray(const struct gray *gray)
{
    int lng = gray->width > gray->height ? gray->width : gray->height;
    int shrt = gray->width > gray->height ? gray->height : gray->width;
    if (shrt < SIDE_LEAST || lng > SHAPE_MAX * shrt)
        return NULL;
    setMsgSeverity(L_SEVERITY_NONE); /* the library's own words go to no one */
    PIX *pix = copy_of(gray);
    float scale = scale_of(lng);
    if (scale != 1.0F) {
        PIX *scaled = pix_checked(
            scale < 1.0F ? pixScaleAreaMap(pix, scale, scale) : pixScale(pix, scale, scale));
        picture_free(&pix);
        pix = scaled;
    }
    PIX *page = pix_checked(pixAddBorder(pix, PICTURE_MARGIN, WHITE));
    picture_free(&pix);
    return page;
}

/* The threshold with the largest variance between the two classes (Otsu). */
static int threshold_of(PIX *gray)
{
    int64_t count[GRAYS] = {0}, total = 0, sum = 0;
    int width, height, best = THRESHOLD_MIN;
    pixGetDimensions(gray, &width, &height, NULL);
    for (int y = 0; y < height; y++) {
        l_uint32 *line = pixGetData(gray) + (size_t)y * (size_t)pixGetWpl(gray);
        for (int x = 0; x < width; x++)
            count[GET_DATA_BYTE(line, x)]++;
    }
    for (int level = 0; level < GRAYS; level++) {
        total += count[level];
        sum += level * count[level];
    }
    double most = -1;
    int64_t dark = 0, dark_sum = 0;
    for (int level = 0; level < GRAYS; level++) {
        dark += count[level];
        dark_sum += level * count[level];
        if (dark == 0 || dark == total)
            continue;
        double apart =
            (double)dark_sum / (double)dark - (double)(sum - dark_sum) / (double)(total - dark);
        double variance = (double)dark * (double)(total - dark) * apart * apart;
        if (variance > most) {
            most = variance;
            best = level;
        }
    }
    return best < THRESHOLD_MIN ? THRESHOLD_MIN : best > THRESHOLD_MAX ? THRESHOLD_MAX : best;
}

PIX *picture_turned(PIX *gray, int turn)
{
    return pix_checked(pixRotateOrth(gray, turn / 90));
}

PIX *picture_straight(PIX *gray, float degrees)
{
    PIX *straight =
        pix_checked(pixRotate(gray, degrees * DEGREE, L_ROTATE_AREA_MAP, L_BRING_IN_WHITE, 0, 0));
    PIX *binary = pix_checked(pixThresholdToBinary(straight, threshold_of(gray)));
    picture_free(&straight);
    return binary;
}

/* The angle by which lines of text, or ruled lines, run along the picture; and how sure that is. */
static float angle_of(PIX *binary, float *ret_confidence)
{
    float angle = 0;
    *ret_confidence = 0;
    if (pixFindSkewSweepAndSearch(
            binary, &angle, ret_confidence, 4, 2, SKEW_MAX, SKEW_STEP, SKEW_DELTA) != 0)
        *ret_confidence = 0;
    return angle;
}

float picture_skew(PIX *binary)
{
    float confidence, confidence_down;
    float angle = angle_of(binary, &confidence);
    PIX *turned = pix_checked(pixRotate90(binary, 1));
    float angle_down = angle_of(turned, &confidence_down);
    picture_free(&turned);
    if (confidence_down > confidence) {
        angle = angle_down;
        confidence = confidence_down;
    }
    return confidence < SKEW_CONFIDENCE ? 0 : angle;
}

/* Clears the lines of one direction, and the dots beside them, in a copy. */
static PIX *without(PIX *copy, PIX *binary, int across, int down)
{
    PIX *lines = pix_checked(pixOpenBrick(NULL, binary, across, down));
    PIX *wider = pix_checked(pixDilateBrick(NULL, lines, down > 1 ? 3 : 1, down > 1 ? 1 : 3));
    pixSubtract(copy, copy, wider);
    picture_free(&wider);
    picture_free(&lines);
    return copy;
}

PIX *picture_without_lines(PIX *binary)
{
    PIX *copy = pix_checked(pixCopy(NULL, binary));
    return without(without(copy, binary, LINE_MIN, 1), binary, 1, LINE_MIN);
}

struct bitmap picture_bitmap(PIX *binary, struct arena *arena)
{
    struct bitmap map;
    pixGetDimensions(binary, &map.width, &map.height, NULL);
    map.dots = arena_alloc(arena, (size_t)map.width * (size_t)map.height);
    for (int y = 0; y < map.height; y++) {
        l_uint32 *line = pixGetData(binary) + (size_t)y * (size_t)pixGetWpl(binary);
        uint8_t *to = map.dots + (size_t)y * (size_t)map.width;
        for (int x = 0; x < map.width; x++)
            to[x] = (uint8_t)GET_DATA_BIT(line, x);
    }
    return map;
}

void picture_free(PIX **pix)
{
    pixDestroy(pix);
}
