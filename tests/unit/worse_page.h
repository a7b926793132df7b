/*
 * A page as a worse machine would have scanned it: for the tests of src/scan and for
 * bench/scan_page.
 */
#pragma once

#include "base/mem.h"
#include "base/str.h"
#include "scan/gray.h"

enum worse_kind {
    WORSE_NONE,
    WORSE_NOISE, /* 20 of 1,000 dots get the opposite colour */
    WORSE_BLUR,  /* out of focus */
    WORSE_JPEG,  /* blocks of a strong compression */
    WORSE_HALF,  /* 100 dots per inch, in gray */
    WORSE_FAX,   /* 100 dots per inch, in black and white */
    WORSE_LIGHT, /* a pale photocopy: thin strokes break */
    WORSE_DARK,  /* a dark photocopy: strokes run together, the paper is gray */
    WORSE_COUNT
};

/* "noise", "blur", ...; WORSE_COUNT: there is no such kind. */
enum worse_kind worse_kind_of(struct str name);

/* The page turned by quarters and a few degrees clockwise, then made worse; in the arena. The same
 * page gives the same result. */
struct gray worse_page(
    const struct gray *page, int turn, double skew, enum worse_kind kind, struct arena *arena);
