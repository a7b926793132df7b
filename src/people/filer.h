/* Who filed a document: what a person once said of that printed name, else people/match.h. */
#pragma once

#include "people/match.h"

/* The name as printed, in every way that the document and its index print it. */
struct filer_query {
    enum chamber chamber;
    struct str printed;    /* the name that the draft keeps: whole, or "Last, First" of the index */
    struct str whole;      /* "Hon. Michael R. Turner"; null */
    struct str last_first; /* "Reed, John F."; null */
    struct str first, last; /* of the index; null */
    struct str state;       /* null: not printed */
    int district;           /* MEMBER_DISTRICT_NONE */
    int32_t date;           /* DAY_NONE: not known; then nobody is found but by alias */
};

/* What a person's answer is remembered under, of the name that a draft keeps; in the arena. */
struct str filer_folded(struct str printed, struct arena *arena);

/* *ret_id: the member's, in the arena; null with the reason in *ret_reason. */
enum err filer_find(
    struct db *db, const struct match *match, const struct filer_query *query, struct arena *arena,
    struct str *ret_id, struct str *ret_reason, struct fail *fail) MUST_CHECK;
