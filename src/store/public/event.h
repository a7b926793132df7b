/*
 * Events and their deliveries: the outbox. Both are written in the publishing transaction. The body
 * is stored once and never changes (decision 37).
 */
#pragma once

#include "store/row/act.h"

enum { EVENT_ID_SIZE = 20 };

#define EVENT_TEST "test" /* the type of a test; all others are of rule/event_type.h */

/* Adds the event and one waiting delivery for each endpoint that receives events of this type and
 * is not deleted. Disabled and paused endpoints, and those of a disabled account, hold their
 * deliveries (decisions 33 and 44). */
enum err event_add(
    const struct act *act, struct str type, int64_t filing_no, int64_t publication_no,
    struct str body, int64_t *ret_deliveries);

/* Adds the event of a test, for which the caller adds the delivery. Readers of events never see it,
 * because it is added without the lock that orders them. */
enum err event_add_test(
    struct db *db, struct str body, int64_t now_ms, int64_t *ret_no, struct fail *fail);

/* Reading: events in the order in which they happened. Numbers rise in the order of commits,
 * because every event is added under the publications' lock; they may have gaps. Tests are not
 * among them. */

/* An event's number and instant. Together they tell it from the event of the same number in another
 * history of the database: one that a restored backup took is made later. */
struct event_place {
    int64_t no; /* 0: before the first event; `at` is 0 as well */
    int64_t at;
};

struct event_row {
    struct event_place place;
    struct str id, type, body;
};

/* Only this many of the newest events are searched for a place that is not theirs. */
enum { EVENT_SEARCHED_MAX = 5000 };

/* The newest event with at most that number. */
enum err event_place_at(struct db *db, int64_t no, struct event_place *ret, struct fail *fail);

/* The last of the next `count` events after that number. *ret stays if there are fewer. */
enum err event_place_after(
    struct db *db, int64_t after, int64_t count, struct event_place *ret, struct fail *fail);

/* The number after which a reader continues who has read up to the place. If the database does not
 * have that event, because a backup was restored, that is the newest one of its instant or
 * earlier. */
enum err event_continue(
    struct db *db, const struct event_place *place, int64_t *ret_no, struct fail *fail);

/* The number after which come `count` events of these types (rule/event_type.h), or as many as
 * there are among the newest EVENT_SEARCHED_MAX. */
enum err event_before_newest(
    struct db *db, int64_t types, int64_t count, int64_t *ret_no, struct fail *fail);

/* False ends the walk. Strings are valid during the call; run no query on this connection inside
 * it. */
typedef bool event_visit(void *ctx, const struct event_row *row);

struct event_range {
    int64_t after, last; /* after < number <= last */
    int64_t types;
    int64_t count; /* at most */
};

/* Visits the events of the range in order. */
enum err event_each(
    struct db *db, const struct event_range *range, event_visit *visit, void *ctx,
    struct fail *fail);
