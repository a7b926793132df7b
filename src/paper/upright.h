/* Turning a scanned page upright and straight, as the places of its rows are counted
 * (paper/cell/cell_source.h). */
#pragma once

#include "scan/gray.h"

/* Turns the page clockwise by `turn` degrees (0, 90, 180 or 270), and then by `skew` hundredths of
 * a degree about its middle, in its size; what comes from outside the page is white. `space` must
 * be empty and have room for its dots, which `ret` borrows. false: no room. */
bool upright_make(const struct gray *page, int turn, int skew, struct buf *space, struct gray *ret);
