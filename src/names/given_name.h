/*
 * Two given names compared: the same, an initial, a nickname. The nicknames are
 * data/nicknames.csv, embedded at build: a closed list, English and some Spanish, with a name per
 * line. Names are folded words (base/fold.h).
 */
#pragma once

#include "base/str.h"

/* Lines that one word may be in ("al": Alan, Albert, Alexander, ...). */
enum { GIVEN_NAME_LINES_MAX = 8 };

struct given_name {
    struct str word;
    struct {
        struct str line;
        int column;
    } in[GIVEN_NAME_LINES_MAX];
    int count; /* 0: not in the list */
};

/* The better the later. */
enum given_fit {
    GIVEN_DIFFERENT,
    GIVEN_BOTH_SHORT, /* short forms of one name: Bill, Will */
    GIVEN_INITIAL,
    GIVEN_FORM,  /* two spellings of a name, or an unusual short form of it: Sandy, Alexander */
    GIVEN_USUAL, /* a usual short form: Mike, Michael */
    GIVEN_SAME,  /* perhaps an initial on both sides */
};

/* Looks the word up in the list; keeps pointers to it. */
struct given_name given_name_find(struct str word);

enum given_fit given_name_fit(const struct given_name *name, struct str other);
