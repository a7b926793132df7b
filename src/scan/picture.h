/*
 * A page as a Leptonica image: gray, black and white, straightened. Private to src/scan. Only this
 * file and picture.c know the library's pixel format. The caller owns the images and frees them
 * with picture_free.
 */
#pragma once

#include <leptonica/allheaders.h>

#include "base/mem.h"
#include "scan/gray.h"

enum {
    PICTURE_SIDE = 2200,     /* of the long side of most pages: 11 inches at 200 dots */
    PICTURE_SIDE_MAX = 3000, /* larger ones are made smaller: 14 inches and a bit */
    PICTURE_SIDE_MIN = 1500, /* smaller ones are made larger, at most twice as large */
    PICTURE_MARGIN = 60,     /* white border around the page, for ink that rotation moves outside */
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

/* A copy of the black and white image without ruled lines. */
PIX *picture_without_lines(PIX *binary);

/* One byte a dot, 1 is ink; in the arena. */
struct bitmap {
    int width, height;
    uint8_t *dots;
};
struct bitmap picture_bitmap(PIX *binary, struct arena *arena);

void picture_free(PIX **pix);
