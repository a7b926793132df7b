/*
 * Invented seats on committees. A member in office on the day of the roster has three to eight
 * seats, on full committees and their panels. Each committee has at most one chair and one ranking
 * member. Committees are public bodies, so their ids and names are the real ones that the program
 * maps to industries.
 */
#pragma once

#include "store/committee.h"
#include "store/member.h"

enum { DEMO_SEATS_AGE_DAYS = 540, DEMO_SEATS_MIN = 3, DEMO_SEATS_MAX = 8 };

struct demo_seats {
    int32_t day; /* of the roster: DEMO_SEATS_AGE_DAYS before `as_of`, so that trades fall on both
                    sides of it */
    struct committee *committees; /* parents first */
    size_t committee_count;
    struct committee_seat_new *seats; /* by member */
    size_t seat_count;
};

/* The same for the same day and people, in the arena. Strings belong to the people and the built-in
 * lists. */
struct demo_seats demo_seats_make(
    struct arena *arena, const struct member *people, size_t count, int32_t as_of);

/* Writes into an open transaction; the people must be in the store. */
enum err demo_seats_put(
    struct db *db, const struct demo_seats *seats, int64_t now_ms, struct fail *fail) MUST_CHECK;
