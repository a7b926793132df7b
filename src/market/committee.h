/*
 * Committees of Congress and the seats that members hold on them, as values. A list is the roster
 * of all committees on one day (decision 32).
 */
#pragma once

#include "rule/model.h"

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

/* The role of a title as the data set prints it; empty for none. False for an unknown title, which
 * counts as member. */
bool seat_role_from_title(struct str title, enum seat_role *ret);

/* One seat of a member, in an unbroken run of lists of one Congress. */
struct seat {
    int first, after; /* index of the first list that has it, and of the first one after the run */
    struct str id;    /* four letters, two more digits for a subcommittee */
    struct str name;  /* as the first list has it */
    struct str title; /* committee_title of it */
    bool subcommittee;
    /* The chamber that the member sat for. A joint committee has members of both; CHAMBER_NONE: its
     * list does not say for which, so the seat counts in either. */
    enum chamber chamber;
    enum seat_role role;
};

enum { COMMITTEE_ID_SIZE = 4 }; /* of a full committee, and the start of its subcommittees' ids */

/* From the letters and length of an id. CHAMBER_NONE: a joint committee. */
enum chamber committee_id_chamber(struct str id);
bool committee_id_is_panel(struct str id); /* of a subcommittee */
bool committee_id_is_appropriations(struct str id);
/* Four capital letters, followed by two digits for a subcommittee. */
bool committee_id_valid(struct str id);

/* "House Committee on Agriculture"; with its parent's name "Subcommittee on Forestry of the House
 * Committee on Agriculture". */
void committee_title(struct buf *b, struct str name, struct str parent);

/* Without its parent's name: "Subcommittee on Forestry"; of "The Constitution" "Subcommittee on the
 * Constitution", of "For Indigenous Peoples" "Subcommittee for Indigenous Peoples". A name that
 * says what it is, "Task Force on Novelties", stays as it is. */
void subcommittee_title(struct buf *b, struct str name);
