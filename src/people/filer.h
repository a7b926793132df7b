/* Finds the filer of a document: the answer that a reviewer gave for its printed name, or else
 * people/match.h. */
#pragma once

#include "people/match.h"

/* The name, in every form that the document and its index print. */
struct filer_query {
    enum chamber chamber;
    struct str
        printed;      /* the form that the draft keeps: `whole`, or "Last, First" from the index */
    struct str whole; /* "Hon. Michael R. Turner"; null */
    struct str bracketed;   /* "Reed, John F." or "Jack Reed"; null */
    struct str first, last; /* from the index; null */
    struct str state;       /* null: not printed */
    int district;           /* MEMBER_DISTRICT_NONE */
    int32_t date;           /* DAY_NONE: not known; then only an alias can match */
};

/* The key under which a reviewer's answer for a draft's printed name is stored; in the arena. */
struct str filer_folded(struct str printed, struct arena *arena);

/* *ret_id: the member's id, in the arena; null with the reason in *ret_reason. */
enum err filer_find(
    struct db *db, const struct match *match, const struct filer_query *query, struct arena *arena,
    struct str *ret_id, struct str *ret_reason, struct fail *fail);

/* Names that official forms print but no data set lists: data/member_aliases.csv, built in. */

struct alias {
    struct str id; /* Bioguide id */
    struct str first;
    struct str last;
};

struct aliases {
    const struct alias *items; /* by id */
    size_t count;
};

/* Strings live in the arena. A malformed list is a build error (asserted). */
void aliases_read(struct arena *arena, struct aliases *ret);
