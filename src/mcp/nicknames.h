/*
 * Given names with their short forms and other spellings, English and some Spanish: a closed list,
 * so that what counts as the same name can be read in one place. It is for people who search, where
 * a wrong guess costs a line in a list; the import's list (ingest/short_name) is narrower, because
 * there a wrong guess would give somebody another one's trades.
 */
#pragma once

#include "base/str.h"

/* Most families that one name may belong to ("al": Alan, Albert, Alexander, ...). */
enum { NICKNAME_FAMILIES_MAX = 8 };

/* One given name: its spellings, and what people who have it are called. Folded words (base/fold.h)
 * with one space between them; `shorter` may be empty. */
struct nickname_family {
    const char *whole;
    const char *shorter;
};

const struct nickname_family *nickname_families(size_t *ret_count); /* all; for tests */

/* The families a name belongs to; looked up once, compared often. None: `count` is 0. */
struct nicknames {
    struct {
        const struct nickname_family *family;
        bool whole; /* it is a spelling of the name, not a short form */
    } in[NICKNAME_FAMILIES_MAX];
    int count;
};

void nicknames_find(struct str name, struct nicknames *ret);

enum nickname_fit {
    NICKNAME_NOT,
    NICKNAME_BOTH_SHORT, /* two short forms of one name: Bill, Will */
    NICKNAME_SAME,       /* a short form of the other, or another spelling of it */
};

/* How the name that was looked up and another one belong together. */
enum nickname_fit nicknames_fit(const struct nicknames *names, struct str other);
