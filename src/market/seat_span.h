/*
 * Committee seats as spans: the days from the first list that has a seat to the first list without
 * it (decision 32, docs/adr/0021-seats-as-spans.md). Strings are borrowed.
 *
 * Each Congress fills every committee again, but the published lists come weeks or months late, and
 * until then some of them still show the old Congress. seat_spans_split turns the spans of the
 * lists into spans of one Congress each:
 *
 *   - A span ends with its Congress.
 *   - A committee's list is of the new Congress from the day on which a seat or title of it begins.
 *     Until then it is the old list, from which only members who left have been removed.
 *   - A committee in which nothing begins is new with its peers (same chamber, full committee or
 *     subcommittee): from the day by which half of those have begun. This holds for Senate and
 *     joint committees only, which can continue unchanged. A House list in which nothing begins
 *     was never renewed, and does not count.
 */
#pragma once

#include "market/committee.h"

struct seat_span {
    struct str committee, member; /* ids */
    struct str title;             /* as listed; empty: none */
    int32_t from;
    int32_t to; /* first day without the seat; DAY_NONE: the newest list has it */
};

/* Sorts `spans` by committee, member and day, then returns spans of one Congress each, sorted by
 * member, committee and day, in the arena. `newest` is the day of the newest list. */
struct seat_span *seat_spans_split(
    struct seat_span *spans, size_t count, int32_t newest, struct arena *arena, size_t *ret_count);

/* The first span of that member or of a later one, in a result of seat_spans_split. */
size_t seat_spans_find(const struct seat_span *spans, size_t count, struct str member);

static inline bool seat_span_covers(const struct seat_span *span, int32_t day)
{
    return span->from <= day && (span->to == DAY_NONE || day < span->to);
}
