/*
 * Gray pictures: poppler's (a portable graymap), made small for a web page as PNG. 16 grays are
 * enough for print on paper and halve the file.
 */
#pragma once

#include "base/buf.h"

struct gray {
    int width, height;   /* in dots, at least 1 */
    const uint8_t *dots; /* width * height, by line; 0 is black */
};

enum { GRAY_SIDE_MAX = 20000 };

/* Reads a binary graymap with 256 grays; `ret` borrows its dots. false: it is none, or larger than
 * GRAY_SIDE_MAX on a side. */
bool gray_read(struct str graymap, struct gray *ret);

/* Appends it as PNG. Lines before `from` and from `to` on are faded, so that those between stand
 * out; 0 and the height: none is. false: no room. */
bool gray_png_put(struct buf *b, const struct gray *gray, int from, int to);
