/*
 * Committees of Congress and the seats that members hold on them, as values. A version is a whole
 * roster as it was on one day (decision 32).
 */
#pragma once

#include "core/model.h"

enum seat_role {
    SEAT_NONE,
    SEAT_CHAIR,
    SEAT_RANKING_MEMBER,
    SEAT_VICE_CHAIR,
    SEAT_MEMBER,
    SEAT_ROLE_COUNT
};

struct str seat_role_name(enum seat_role role); /* as the API prints it (decision 9) */
enum seat_role seat_role_from_name(struct str name);

/* One seat of a member in one version. */
struct seat {
    int version;      /* index into the days of the versions */
    struct str id;    /* four letters, two more digits for a subcommittee */
    struct str name;  /* as the version lists it */
    struct str title; /* committee_title of it */
    bool subcommittee;
    enum chamber chamber; /* the chamber that the member sat for; a joint committee has both */
    enum seat_role role;
};

/* "House Committee on Agriculture"; with its parent's name "Subcommittee on Forestry of the House
 * Committee on Agriculture". */
void committee_title(struct buf *b, struct str name, struct str parent);
void subcommittee_title(struct buf *b, struct str name); /* without its parent's name */
