/*
 * All lists of committee seats that the program knows, as one order of days: the lists that ship
 * with it (market/seats_shipped.h), the spans that were imported, and the imported lists of single
 * days (store/public/committee.h). docs/adr/0021-seats-as-spans.md says why.
 *
 *   - On a day that has an imported list, that list counts alone.
 *   - From the first to the last day of the imported spans, the lists that ship do not count.
 *   - A database of invented data knows its own lists only. A member who is in no shipped list and
 * in no imported span is judged by the imported lists alone.
 *   - A committee that an imported list leaves out with all its subcommittees keeps its seats
 * within one Congress. A committee whose list is still that of the Congress before counts as left
 * out.
 *
 * To learn which seats a member held on a day: roster_seats_of, conflict_list_of for the list of
 * that day, conflict_seat_counts for each seat (market/conflict.h).
 */
#pragma once

#include "db/db.h"
#include "market/conflict.h"
#include "store/public/committee_span.h"

struct roster;

/* Loads the days of all lists, and what the imported ones cover; not the seats. In the arena. */
enum err roster_load(
    struct db *db, struct arena *arena, const struct roster **ret, struct fail *fail);

/* The days of all lists, ascending. */
const int32_t *roster_days(const struct roster *roster, size_t *ret_count);

/* The member's seats in all lists, by their first list. Strings and seats live in the arena, which
 * must not outlive the roster's. Call it in the same snapshot as roster_load. */
enum err roster_seats_of(
    struct db *db, const struct roster *roster, int64_t member_no, struct arena *arena,
    struct conflict_seats *ret, struct fail *fail);

typedef void roster_member_visit(
    void *ctx, struct str member_id, const struct conflict_seats *seats);

/* Visits every member who has a seat in any list, by id, with all seats, which live in the arena.
 */
enum err roster_each_member(
    struct db *db, struct arena *arena, roster_member_visit *visit, void *ctx, struct fail *fail);

typedef void roster_visit(void *ctx, struct str member_id, const struct seat *seat);

/* Visits every seat of the newest list, by member and committee id; strings are valid during the
 * call. */
enum err roster_each_current(struct db *db, roster_visit *visit, void *ctx, struct fail *fail);

/* The lists that a roster joins. */

enum list_source { LIST_SHIPPED, LIST_SPANS, LIST_IMPORTED };

struct roster_list {
    int32_t day;
    enum list_source source;
    int64_t version_no; /* of LIST_IMPORTED */
    struct str *seated; /* of LIST_IMPORTED: ids of committees whose seats it has, ascending */
    size_t seated_count;
};

struct roster {
    struct roster_list *lists;
    int32_t *days; /* of the lists */
    size_t count;
    bool has_imported, has_spans;
    struct committee_naming *namings; /* of the spans */
    size_t naming_count;
    const struct roster *imported; /* the imported lists alone; NULL in that one */
};

/* True if the imported list has seats of the committee, of its own Congress. */
bool roster_list_has(const struct roster_list *list, struct str committee);
