/*
 * Who filed this: a printed name, what is known beside it, and a date, to one member or to nobody
 * (sources.md 4; docs/adr/0008-matching.md). Nothing is guessed: two that fit are as good as none.
 *
 * The last name must be equal and the given names must fit (given_names_fit); two different
 * generations (Jr., III) never fit, and an equal one wins over one that is not stated. Then a term
 * of that chamber must agree in state and, in the House, in district, as far as they are given, and
 * cover the date. A term without dates (historical CSV) counts only where no dated one does, and
 * only at an age at which members serve.
 *
 * Usual short forms count where the state is given, and for a senator without a state if no
 * member matches otherwise and a dated term agrees.
 */
#pragma once

#include "store/public/member.h"

enum {
    MATCH_AGE_MIN = 25,
    MATCH_AGE_MAX = 92,
};

struct match_query {
    struct str first; /* as printed: first and middle names; null when `last` is the whole name */
    struct str last;  /* as printed, perhaps with a suffix */
    enum chamber chamber;
    struct str state; /* null: not stated (Senate headings) */
    int district;     /* MEMBER_DISTRICT_NONE: not stated; 0: at large */
    int32_t date;     /* the filing's day */
};

enum match_verdict {
    MATCH_ONE,
    MATCH_NO_NAME,   /* nobody of that name */
    MATCH_NO_TERM,   /* somebody of that name, but not there then */
    MATCH_AMBIGUOUS, /* several fit */
};

struct match_answer {
    enum match_verdict verdict;
    const struct member *member;    /* MATCH_ONE only; belongs to the list given to match_create */
    const struct member_term *term; /* the term that agrees: party, state, district then */
};

struct match;

/* `members` must outlive the index. */
struct match *match_create(const struct member_list *members);
void match_destroy(struct match *m);

struct match_answer match_find(const struct match *m, const struct match_query *query);

/* One filer printed in two ways: both may match, but not two different members. */
struct match_answer match_agree(struct match_answer a, struct match_answer b);

/* For a person to read: "no member has that name", ... */
const char *match_verdict_text(enum match_verdict verdict);

/* Whether the given names of a form and of a member can belong to one person
 * (docs/adr/0008-matching.md). */

/*
 * The first names must be equal, or the first ones compatible (an initial of the other) and the
 * second ones equal whole words: never an initial alone. Later names must be equal or initials of
 * each other as far as both state them. A leading initial that one of the two leaves out is skipped
 * ("W. Greg", "Greg").
 *
 * `wide`, for filers whose state and district are known: usual short forms count as equal (Mike,
 * Michael), and a whole leading name may be left out ("Felix Barry", "Barry").
 */
bool given_names_fit(const struct str *a, int a_count, const struct str *b, int b_count, bool wide);
