/*
 * The page turned upright and straightened, with its table. The table decides which way is up,
 * because asset names are at its left. Private to src/scan.
 */
#pragma once

#include "scan/picture.h"
#include "scan/table.h"

struct upright {
    PIX *binary; /* with its margin; upright_finish frees it */
    int turn;    /* by 0, 90, 180 or 270 degrees clockwise, */
    float skew;  /* and then by these degrees clockwise */
    bool found;  /* a table; otherwise the page is as it was, and the rest is not set */
    struct bands bands;
    struct page_table table;
};

/* false: the picture does not have the size or the shape of a page. */
bool upright_find(const struct gray *gray, struct arena *arena, struct upright *ret);
void upright_finish(struct upright *upright);
