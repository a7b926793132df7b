/*
 * The committee seats since 2012-11 that ship with the program: data/seats.csv, committees.csv and
 * seat_lists.csv, which script/update-seats rebuilds from the public data set
 * (docs/adr/0021-seats-as-spans.md). script/embed-seats makes tables of them in the build. The
 * first call splits the spans by Congress; everything lives as long as the process.
 */
#pragma once

#include "market/seat_span.h"

/* The days of the lists, ascending. Never empty. */
const int32_t *seats_shipped_days(size_t *ret_count);

/* The member's spans, by committee and day. *ret_count 0: in none of the lists. */
const struct seat_span *seats_shipped_of(struct str member, size_t *ret_count);

/* All spans, by member, committee and day. */
const struct seat_span *seats_shipped_all(size_t *ret_count);

/* The committee's name on that day, or the nearest one if the lists of that day lack it; null: no
 * list has the committee. */
struct str seats_shipped_name(struct str committee, int32_t day);

/* True if the index of committees has it on that day. After the newest list: as that one. */
bool seats_shipped_has(struct str committee, int32_t day);

/* Ends spans on the day on which the index of committees drops their committee for good: lists go
 * on with old ids of subcommittees that were given new ones (Senate Commerce in 2019). Done already
 * for the shipped spans. */
void seats_shipped_end_gone(struct seat_span *spans, size_t *count);

/* The SHA-256 of the three files. */
const uint8_t *seats_shipped_sha256(void);
