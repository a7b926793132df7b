/*
 * Who filed this: a printed name, what is known beside it, and a date, to one member or to nobody
 * (sources.md 4). Nothing is guessed: two that fit are as good as none.
 *
 * A name fits when, folded (accents, letter case, punctuation, titles, suffixes, degrees, quoted or
 * bracketed nicknames dropped), it equals one of the member's folded names, or differs from it only
 * by middle names that one of the two leaves out. A first name that is only an initial never fits.
 * State and (House) district must agree with a term of that chamber whose dates cover the filing,
 * with MATCH_AFTER_TERM_DAYS for reports filed after leaving.
 */
#pragma once

#include "core/model.h"
#include "ingest/person.h"

enum { MATCH_AFTER_TERM_DAYS = 200, MATCH_BEFORE_TERM_DAYS = 0 };

struct match_query {
    struct str first; /* as printed: first and middle names */
    struct str last;  /* as printed, perhaps with a suffix */
    enum chamber chamber;
    struct str state; /* null: not stated (Senate headings) */
    int district;     /* DISTRICT_NONE: not stated; 0: at large */
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
    const struct person *person; /* MATCH_ONE only; belongs to the people given to match_create */
    const struct term *term;     /* the term that covers the date: party, state, district then */
};

struct match;

/* `people` must outlive the index. */
struct match *match_create(const struct people *people);
void match_destroy(struct match *m);

struct match_answer match_find(const struct match *m, const struct match_query *query);

/* For a person to read: "no member of that name", ... */
const char *match_verdict_text(enum match_verdict verdict);
