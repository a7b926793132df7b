/*
 * Decides whether the ink in a cell is a mark, and which cell of a row has the only one. Private to
 * src/scan.
 */
#pragma once

#include "scan/cells.h"

struct scan_mark {
    bool clear; /* surely a mark; otherwise it may be none */
    bool faint; /* there is some ink, but not enough to be sure */
    int strength;
};

/* `boxed`: the area is the inside of a printed box. */
struct scan_mark mark_measure(const struct bitmap *map, struct area area, bool boxed);

/* Whether the area has text: more than specks. `hanging`: ink that hangs from the top into the
 * upper half counts; otherwise it is treated as descenders of the line above. */
bool mark_is_text(const struct bitmap *map, struct area area, bool hanging);

/* Whether a stroke that may be a part of a letter runs out of the area, to the left or the right.
 * `ends`: or up or down. */
bool mark_touches_side(const struct bitmap *map, struct area area, bool ends);

/* Judges the marks of a group together: ink that spills from a strong mark into its neighbours is
 * not a mark. */
enum mark_verdict { MARK_NONE, MARK_FAINT, MARK_CLEAR };

void marks_judge(const struct scan_mark *marks, int count, enum mark_verdict *ret);
