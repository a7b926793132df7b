/*
 * How well a politician's name fits what a person or a language model typed for it. Pure: no I/O,
 * no clock, nothing kept.
 *
 * Letter case, accents, punctuation, titles and degrees do not count (mcp/name_parts.h). Nicknames,
 * initials, middle names that only one side has, the order of the words, words run together or
 * apart, and slips of the finger cost something, so that whoever is meant comes before others who
 * might be.
 */
#pragma once

#include "base/err.h"
#include "mcp/name_fit.h"
#include "mcp/name_parts.h"

enum {
    NAME_SCORE_SAME = 1000,
    NAME_SCORE_SHOWN = 400, /* below: not worth showing to somebody who looks for that name */
};

/* What was typed, prepared once for many comparisons. */
struct name_query {
    struct name_parts parts;
    struct nicknames nicknames[NAME_WORDS_MAX]; /* of each word */
    bool slug;                                  /* it was typed as one: "nancy-pelosi" */
};

/* ERR_INVALID as name_parts_read. */
enum err name_query_init(struct name_query *q, struct str text, struct fail *fail) MUST_CHECK;

struct name_score {
    int permille;      /* 0 (nothing in common that counts) to NAME_SCORE_SAME */
    enum name_why why; /* WHY_NOTHING with 0, and with nothing else */
};

/* `name` as displayed, "Robert C. \"Bobby\" Scott"; `slug` made of the member's first and last
 * name, "robert-scott", perhaps with an id behind it. The slug tells where the last name begins,
 * and often another first name; either may be null. A name and its slug score NAME_SCORE_SAME;
 * another text does only where the difference does not count, or is in where words end. */
struct name_score name_query_score(const struct name_query *q, struct str name, struct str slug);
