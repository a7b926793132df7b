/*
 * Who sat on which committee, from all lists of seats (store/public/roster.h): a book, which is
 * made with the members and never changes. Readers ask feed/feed.h. Private to src/feed.
 */
#pragma once

#include "base/intmap.h"
#include "feed/people.h"
#include "market/conflict.h"

/* A seat in an unbroken run of lists, with one role, name of the committee and party. */
struct feed_seat {
    const struct person *person; /* NULL: no list of members has this one */
    struct seat is;              /* without its lists */
    struct str party, state;     /* of the member's term, like `chamber`; null: not known */
    enum chamber chamber;
    int32_t from;  /* day of the first list that has it */
    int32_t until; /* the first day without it, at the latest that of the next Congress */
    int congress;
    bool is_open; /* the newest list has it and is of that Congress, and the member is in office */
};

struct feed_committee {
    struct str id;
    const struct feed_seat *seats; /* by their first day */
    size_t count;
};

struct committee_book {
    struct arena arena;
    int32_t *days; /* of the lists, ascending */
    size_t day_count;
    struct feed_committee *items; /* by id: subcommittees follow their committee */
    size_t count;
};

/* Writer: collects seats, then makes the book of them. */
struct committee_maker {
    struct committee_book *book;
    struct intmap texts; /* that seats share */
    struct feed_seat *seats;
    size_t count, room;
};

struct member;
void committee_maker_init(struct committee_maker *m);
/* Adds the seats of a member whose terms have been ended; NULL, NULL: of one who is not known. */
void committee_maker_add(
    struct committee_maker *m, const struct person *person, const struct member *member,
    const struct conflict_seats *seats);
/* The result is for committee_book_free. */
struct committee_book *committee_maker_finish(
    struct committee_maker *m, const int32_t *days, size_t day_count);
void committee_book_free(struct committee_book *book); /* NULL is ignored */
