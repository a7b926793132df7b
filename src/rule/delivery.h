/*
 * The states of a webhook delivery and of its endpoint (spec 3 and 6.4, decisions 33 and 34), as
 * tables: no I/O, no clock.
 *
 * A delivery is sent at once and then after fixed waits, six times in all. An endpoint counts the
 * deliveries that failed since its last 2xx, each once however often it was tried; the tenth
 * disables it. A streak is the time between two 2xx. A delivery remembers the streak in which it
 * was counted.
 *
 * From its first failure to its next 2xx an endpoint is half open: one attempt at a time, with
 * growing pauses, so that ten failures in a row take minutes. Attempts that overlap count as one
 * failure, so a short outage that many deliveries meet at once counts once. 410 disables it at
 * once. What a person sends, a replay or a test, waits for no pause, does not count, and does not
 * end a streak (decision 45).
 */
#pragma once

#include "base/instant.h"

enum delivery_state {
    DELIVERY_PENDING, /* waiting or in flight */
    DELIVERY_DELIVERED,
    DELIVERY_FAILED,  /* parked: no further attempts without a replay */
    DELIVERY_EXPIRED, /* held for 30 days, or its endpoint was removed */
    DELIVERY_STATE_COUNT
};

enum delivery_event {
    DELIVERY_ACCEPTED, /* a 2xx in time */
    DELIVERY_REFUSED,  /* any other result, but for: */
    DELIVERY_GONE,     /* 410: the receiver wants no more */
    DELIVERY_EXPIRE,
    DELIVERY_REPLAY, /* by hand: six more attempts */
    DELIVERY_EVENT_COUNT
};

/* Why a delivery is sent. */
enum delivery_cause {
    DELIVERY_BY_EVENT,
    DELIVERY_BY_REPLAY,
    DELIVERY_BY_TEST, /* one attempt, with a body of its own */
    DELIVERY_CAUSE_COUNT
};

enum endpoint_state {
    ENDPOINT_ENABLED,
    ENDPOINT_DISABLED, /* by ten failures or by its owner; new events are held */
    ENDPOINT_PAUSED,   /* above the cap after a downgrade */
    ENDPOINT_DELETED,  /* kept for the history of its deliveries */
    ENDPOINT_STATE_COUNT
};

enum endpoint_event {
    ENDPOINT_FAIL_TENTH,
    ENDPOINT_GO,      /* the receiver answered 410 */
    ENDPOINT_DISABLE, /* by its owner */
    ENDPOINT_ENABLE,  /* by its owner */
    ENDPOINT_PAUSE,   /* the plan's cap fell */
    ENDPOINT_RESUME,  /* the plan's cap rose */
    ENDPOINT_DELETE,
    ENDPOINT_EVENT_COUNT
};

enum {
    DELIVERY_TRIES_MAX = 6,
    DELIVERY_TIME_MAX_MS = 10 * SECOND_MS, /* of one attempt, until the status line arrives */
    DELIVERY_WAIT_MAX_MS = 12 * HOUR_MS,   /* between two attempts */
    DELIVERY_HELD_DAYS = 30,               /* how long an event is held */
    DELIVERY_LOG_DAYS = 30,                /* how long attempts are kept */
    DELIVERY_GRACE_HOURS_MAX = 24,         /* how long a rotated secret also signs (decision 36) */
    DELIVERY_PAUSE_MS = 10 * SECOND_MS,    /* between two replays of one, or two tests */
    DELIVERY_TESTS_MAX = 10,               /* of an account, in a minute */
    ENDPOINT_FAILURES_MAX = 10,
    ENDPOINT_TELL_FAILURES = 5,        /* the owner is told before it is disabled */
    ENDPOINT_PAUSE_MAX_MS = MINUTE_MS, /* between two attempts while it is half open */
};

/* Why an endpoint is disabled. */
enum endpoint_reason { ENDPOINT_BY_OWNER, ENDPOINT_BY_FAILURES, ENDPOINT_IS_GONE };

struct str delivery_state_name(enum delivery_state state);
enum delivery_state delivery_state_from_name(struct str name); /* _COUNT: none of them */
struct str delivery_cause_name(enum delivery_cause cause);
enum delivery_cause delivery_cause_from_name(struct str name); /* _COUNT: none of them */
struct str endpoint_state_name(enum endpoint_state state);
enum endpoint_state endpoint_state_from_name(struct str name); /* _COUNT: none of them */

/* The stored state of a delivery and its endpoint, as far as steps need it. */
struct delivery_is {
    enum delivery_state state;
    enum delivery_cause cause;
    int tries;          /* attempts since it was created or replayed */
    int64_t counted_in; /* the streak in which it was counted as failed; 0: in none */
    int64_t due_at;     /* when to send it, while pending */
};

struct endpoint_is {
    enum endpoint_state state;
    int failures;   /* deliveries of this streak that failed */
    int64_t streak; /* from 1; one more with every 2xx that ends failures */
    bool gone;      /* disabled by 410 */

    /* Of the streak's attempts that failed, leaving out those that overlap. */
    int pauses;          /* how many; 0: the endpoint is open, not half open */
    int64_t failed_at;   /* the end of the last; 0: none */
    int64_t next_try_at; /* the earliest beginning of the next attempt; 0: now */
};

/* Applies an event to the delivery and its endpoint, at the end of an attempt that began at
 * started_ms, or by hand. False, with nothing changed: the event does not apply in that state (a
 * second outcome of an attempt). */
bool delivery_step(
    struct delivery_is *delivery, struct endpoint_is *endpoint, enum delivery_event event,
    int64_t started_ms, int64_t now_ms);

/* False: not allowed from that state. Enabling begins a new streak. */
bool endpoint_step(struct endpoint_is *endpoint, enum endpoint_event event);

/* Of a disabled endpoint. */
enum endpoint_reason endpoint_reason(const struct endpoint_is *endpoint);
struct str endpoint_reason_name(enum endpoint_reason reason);

/* True if the owner's list of failing endpoints has it: it was disabled by its receiver, or soon
 * will be. */
bool endpoint_is_failing(const struct endpoint_is *endpoint);

/* True if that list changes so much with this step that the owner is told. */
bool endpoint_notices(const struct endpoint_is *before, const struct endpoint_is *after);
