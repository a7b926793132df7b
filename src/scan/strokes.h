/*
 * Strokes: the connected pieces of ink in a part of the page. Private to src/scan.
 */
#pragma once

#include "scan/cells.h"

struct stroke {
    struct area frame; /* in the copy */
    int ink;           /* dots */
};

/* A copy of a part of the page, to take its strokes one by one. */
struct strokes {
    int width, height;
    uint8_t *dots; /* 1 is ink that was not taken yet */
    int *stack;
    int at;
};

/* false: the area is empty or too large; then there is nothing to finish. */
bool strokes_begin(struct strokes *s, const struct bitmap *map, struct area area);
void strokes_finish(struct strokes *s);

/* Takes the next stroke; false: there is none left. */
bool strokes_next(struct strokes *s, struct stroke *ret);

/* Copies the part of the page without specks and without remains of the lines at its sides; the
 * copy, in the arena, has its own width and height. No dots: the area is empty or too large. */
struct bitmap strokes_clean(const struct bitmap *map, struct area area, struct arena *arena);
