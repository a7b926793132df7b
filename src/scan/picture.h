/*
 * A page as Leptonica sees it: in gray, in black and white, straight. Private to src/scan: the only
 * file with its picture.c that knows the library's bytes. The pictures belong to the caller, who
 * frees them with picture_free.
 */
#pragma once

#include <leptonica/allheaders.h>

#include "base/mem.h"
#include "scan/gray.h"

enum {
    PICTURE_SIDE = 2200,     /* of the long side of most pages: 11 inches at 200 dots */
    PICTURE_SIDE_MAX = 3000, /* larger ones are made smaller: 14 inches and a bit */
    PICTURE_SIDE_MIN = 1500, /* smaller ones are made larger, at most twice as large */
    PICTURE_MARGIN = 60,     /* of white around the page, for what turning moves out of it */
};

/* The page in gray, near to 200 dots per inch, with its margin. NULL: it is too small to read, or
 * does not have the shape of a page. */
PIX *picture_of_gray(const struct gray *gray);

/* The page turned by 0, 90, 180 or 270 degrees clockwise. */
PIX *picture_turned(PIX *gray, int turn);

/* The page turned by a few degrees clockwise, in black and white, by the threshold that separates
 * its grays best. */
PIX *picture_straight(PIX *gray, float degrees);

/* Degrees by which a black and white page must turn, clockwise, to be straight, by its lines of
 * text; 0: not known. */
float picture_skew(PIX *binary);

/* A copy of the black and white picture without ruled lines. */
PIX *picture_without_lines(PIX *binary);

/* One byte a dot, 1 is ink; in the arena. */
struct bitmap {
    int width, height;
    uint8_t *dots;
};
struct bitmap picture_bitmap(PIX *binary, struct arena *arena);

void picture_free(PIX **pix);
