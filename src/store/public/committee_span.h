/*
 * Imported committee seats as spans, with the days of their lists and the names of committees
 * (decision 32). There is one set of spans: an import replaces it. store/public/roster.h joins them
 * with the other lists.
 */
#pragma once

#include "db/db.h"
#include "market/seat_span.h"

struct progress_hook;

/* A committee's name from one day on. */
struct committee_naming {
    struct str committee, name;
    int32_t from;
};

/* Spans of one Congress each (seat_spans_split). At most one of a member and committee begins on a
 * day. Days ascend; names are sorted by committee and day. */
struct committee_spans {
    const struct seat_span *spans;
    size_t span_count;
    const struct committee_naming *namings;
    size_t naming_count;
    const int32_t *days;
    size_t day_count;
};

/* Replaces all of them. *ret_changed is false if they were stored already. Call it inside a write
 * transaction; the caller adds a change notice `member`. `progress` (may be NULL) receives the
 * spans.
 */
enum err committee_span_put(
    struct db *db, const struct committee_spans *spans, const struct progress_hook *progress,
    bool *ret_changed, struct fail *fail);

/* The days of the lists, ascending; none: no spans were imported. In the arena, as below. */
enum err committee_span_days(
    struct db *db, struct arena *arena, int32_t **ret, size_t *ret_count, struct fail *fail);

/* By committee and day. */
enum err committee_span_names(
    struct db *db, struct arena *arena, struct committee_naming **ret, size_t *ret_count,
    struct fail *fail);

/* A member's spans, or with a null id the spans of all members, by member, committee and day. */
enum err committee_span_of(
    struct db *db, struct str member_id, struct arena *arena, struct seat_span **ret,
    size_t *ret_count, struct fail *fail);
