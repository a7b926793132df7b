/*
 * A member of Congress as the data set states it, before the store has it: names, terms and other
 * names. All strings live in the arena of the struct people they belong to.
 */
#pragma once

#include "base/instant.h"
#include "base/mem.h"
#include "core/model.h"

#define DISTRICT_NONE (-1)

struct term {
    enum chamber chamber;
    struct str state; /* two letters */
    int district;     /* House: 0 at large; DISTRICT_NONE in the Senate and where not known */
    struct str party; /* null: not stated */
    int32_t start;    /* DAY_NONE: not stated (historical CSV) */
    int32_t end;      /* DAY_NONE: not stated */
};

/* Another way the same person is written. `last` is null in a nickname that goes with any last name
 * of the person. */
struct person_name {
    struct str first;
    struct str last;
};

struct person {
    struct str id;    /* Bioguide id */
    struct str name;  /* as displayed */
    struct str first; /* of the data set */
    struct str last;
    struct str slug;    /* null until given */
    int32_t birthday;   /* DAY_NONE: not stated */
    struct term *terms; /* oldest first */
    size_t term_count;
    struct person_name *names; /* official, nicknames, other and curated names */
    size_t name_count;
};

struct people {
    struct arena arena;
    struct person *all;
    size_t count;
    size_t room;
};

void people_init(struct people *p);
void people_finish(struct people *p);
