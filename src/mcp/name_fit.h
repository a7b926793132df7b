/* How one typed word fits one word of a name, as a last name and as a given name: permille, and
 * what keeps it from being the same. */
#pragma once

#include "mcp/nicknames.h"

/* What a score rests on, or what costs it most. */
enum name_why {
    WHY_NOTHING, /* no match */
    WHY_SAME,
    WHY_SLUG,
    WHY_NAMES,
    WHY_NICKNAME,
    WHY_INITIAL,
    WHY_MIDDLE,
    WHY_FIRST_SPELLING,
    WHY_ONE_LETTER,
    WHY_SPELLING,
    WHY_SOUND,
    WHY_BEGINNING,
    WHY_PART,
    WHY_MIDDLE_AS_LAST,
    WHY_LAST_INITIAL,
    WHY_ORDER,
    WHY_SURPLUS,
    WHY_TOGETHER,
    WHY_LAST_ONLY,
    WHY_FIRST_ONLY,
    WHY_INITIALS,
    WHY_OTHER_FIRST,
    WHY_GENERATION,
    WHY_COUNT
};

const char *name_why_text(enum name_why why); /* part of an English sentence; a constant */

/* Only their order means something: they were set by the tables of the unit test. */
enum {
    FIT_SAME = 1000,
    FIT_NICKNAME = 965,
    FIT_SLIP =
        940, /* less a share of FIT_SLIP_COST for each slip, the smaller the longer the word */
    FIT_SLIP_COST = 600,
    FIT_SHORT_FORM = 930, /* the beginning of the other, where no list says so */
    FIT_BOTH_SHORT = 900,
    FIT_TWO_INITIALS = 900,
    FIT_INITIAL = 850,
    FIT_SOUND = 780,
    FIT_BEGINNING = 700,    /* of a last name */
    FIT_FAR_SLIP = 600,     /* in a last name, and too much without the first */
    FIT_LAST_INITIAL = 400, /* "Nancy P." */
};

struct name_fit {
    int permille; /* 0: another word */
    enum name_why why;
};

struct name_fit name_fit_last(struct str typed, struct str last);

/* `nicknames` are those of `typed`. */
struct name_fit name_fit_given(
    struct str typed, const struct nicknames *nicknames, struct str given);

/* What `edits` slips leave. */
int name_fit_slip(struct str a, struct str b, int edits);
