/*
 * Reads gray images from poppler (portable graymap) and writes small PNG files for web pages. 16
 * grays are enough for all print on paper and halve the file; 4 are enough for a line of letters
 * and halve it again.
 */
#pragma once

#include "base/buf.h"

struct gray {
    int width, height;   /* in dots, at least 1 */
    const uint8_t *dots; /* width * height, by line; 0 is black */
};

enum { GRAY_SIDE_MAX = 20000 };

/* Reads a binary graymap with 256 grays; `ret` borrows its dots. false: it is not one, or larger
 * than GRAY_SIDE_MAX on a side. */
bool gray_read(struct str graymap, struct gray *ret);

enum gray_depth { GRAY_4 = 2, GRAY_16 = 4 }; /* bits of a dot */

/* Appends the image as PNG. Fades the lines before `from` and from `to` on; 0 and the height fade
 * none. false: no room. */
bool gray_png_put(struct buf *b, const struct gray *gray, enum gray_depth depth, int from, int to);

/* Appends the image as PNG with 16 grays, with a yellow background for the lines from `from` to
 * before `to`. false: no room. */
bool gray_png_put_marked(struct buf *b, const struct gray *gray, int from, int to);
