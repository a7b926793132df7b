/*
 * What the argument `about` of get_conflicted_trades says, in the words of people: industries,
 * committees, members, companies and symbols (data/about_words.csv). A trade fits if its signal has
 * all that is named.
 */
#pragma once

#include "base/buf.h"
#include "mcp/api_page.h"

enum { ABOUT_PARTS_MAX = 32 };

struct about_part {
    int of;           /* where it is looked for */
    struct str means; /* what is looked for: words, with | between alternatives */
};

struct about {
    struct arena arena;
    struct str words; /* folded */
    struct about_part parts[ABOUT_PARTS_MAX];
    size_t count; /* 0: every trade fits */
};

void about_init(struct about *about, struct str text);
void about_finish(struct about *about);

bool about_fits(const struct about *about, const struct api_item *trade);

/* Appends the three phrases of the vocabulary that are the most like what was said. */
void about_put_nearest(struct buf *b, const struct about *about);
