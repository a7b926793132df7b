/*
 * Invented seats on committees: one list for each Congress of the trades. A member in office on the
 * day of a list has three to eight seats, on full committees and their panels. Each committee has
 * at most one chair and one ranking member. Committees are public bodies, so their ids and names
 * are the real ones that the program maps to industries.
 */
#pragma once

#include "store/public/committee.h"
#include "store/public/member.h"

/* Lists come DEMO_SEATS_LATE_DAYS after their Congress began, so that trades fall on both sides. */
enum { DEMO_SEATS_LATE_DAYS = 75, DEMO_SEATS_MIN = 3, DEMO_SEATS_MAX = 8 };

struct demo_seats {
    int32_t day;                  /* of the list */
    struct committee *committees; /* parents first */
    size_t committee_count;
    struct committee_seat_new *seats; /* by member */
    size_t seat_count;
};

/* The list of that day. The same for the same day and people, in the arena. Strings belong to the
 * people and the built-in lists. */
struct demo_seats demo_seats_make(
    struct arena *arena, const struct member *people, size_t count, int32_t day);
