/*
 * A member's committee seats over time, as rows of a chart and of a table, from the database; and
 * the seats behind a flagged trade. Private to src/site/data.
 */
#pragma once

#include "db/db.h"
#include "feed/topics.h"
#include "html/timeline.h"
#include "market/committee.h"

enum { MEMBER_SEATS_MAX = 64 };

/* All seats on one committee, or on one subcommittee. */
struct member_seat {
    struct str key;  /* "A", ..., "Z", "27", ... */
    struct str id;   /* of the committee */
    struct str name; /* of the committee without its chamber; a subcommittee's without its parent */
    struct str title;
    bool panel;
    struct timeline_span *spans; /* ascending */
    enum seat_role *roles;       /* of the spans */
    size_t span_count;
};

struct member_seats {
    struct member_seat *rows; /* a committee, then its subcommittees */
    size_t count;             /* at most MEMBER_SEATS_MAX */
    bool more;                /* others are left out */
};

/* In the arena. `left`: the day on which the member left, or DAY_NONE. */
enum err member_seats_load(
    struct db *db, int64_t member_no, int32_t left, struct arena *arena, struct member_seats *ret,
    struct fail *fail);

/* The rows of the seats that a signal rests on, as bits; NULL: none. Call it inside a read of the
 * feed. */
uint64_t member_seats_of(
    const struct member_seats *seats, const struct topics *topics, const struct signal_topic *topic,
    struct arena *arena);

/* "2019-01-24 to 2021-01-03; since 2021-02-01 (chair)". Spans that follow each other closely in the
 * same role are one. */
struct str member_seat_periods(const struct member_seat *seat, struct arena *arena);

/* "Armed Services" of "House Committee on Armed Services" */
struct str seat_without_chamber(struct str name);
