/*
 * Terms of office, and the days on which they end (decision 9). The lists of members print the end
 * that a term was elected for: of a member who died or resigned they know no day. member_terms_end
 * finds it once, for every reader: the API, pages, searches, tools and the audit.
 *
 * The end of a term is the first day without it, as in the lists: one Congress ends and the next
 * begins at noon of January 3.
 */
#pragma once

#include "rule/model.h"

#define MEMBER_DISTRICT_NONE (-1)

struct member_term {
    enum chamber chamber;
    struct str state; /* two letters */
    int district;     /* 0: at large; MEMBER_DISTRICT_NONE: Senate, or not known */
    struct str party; /* null: not stated */
    int32_t start;    /* DAY_NONE: not stated */
    int32_t end;      /* DAY_NONE: not stated */
    int senate_class; /* 1 to 3; 0: House, or not known */
};

/* The terms of one member. */
struct member_terms {
    struct str id;
    int32_t listed_on; /* day of the newest list of sitting members with this one; DAY_NONE: none */
    struct member_term *items; /* oldest first */
    size_t count;
};

/*
 * Moves the ends of the terms of all members to the earliest of
 *   - the end that is stated, which is the official day of leaving where a list has it;
 *   - the day on which another term begins in the same seat, or a later one of the same member;
 *   - where the lists stop: of a member whom the newest list of sitting members lacks, the day
 *     after the last list of sitting members that has the member, or of the first list of
 *     committees that does not, whichever is later; or else the day of that newest list.
 * Nothing follows another term in a seat that is not known, nor from a term without dates.
 */
void member_terms_end(struct member_terms *members, size_t count);

/* Unbroken service in one chamber. */
struct member_service {
    enum chamber chamber;
    int32_t from, until; /* until: the first day without it */
};

/* Writes the stretches of terms that member_terms_end has ended, the newest first, at most `count`;
 * returns their number. */
size_t member_terms_service(
    const struct member_term *terms, size_t count, struct member_service *ret);

bool member_service_has(const struct member_service *service, size_t count, int32_t day);

/* Seats with too many holders at once since the first reports, in November 2012: more than two in a
 * state's Senate seats, or one in a House district. The terms are those that member_terms_end has
 * ended. */
typedef void member_seat_crowded(
    void *ctx, const struct member_term *term, struct str id, struct str other, int32_t day);
void member_seats_check(
    const struct member_terms *members, size_t count, member_seat_crowded *tell, void *ctx);
