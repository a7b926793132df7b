/*
 * Deadlines of one loop's connections. Each kind has one length, so a list that is appended to is
 * in order, and setting, moving and clearing cost a few pointers; one coarse timer looks at the
 * heads.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum deadline_kind {
    DEADLINE_IDLE,        /* nothing of a request is there: close */
    DEADLINE_HEAD,        /* a head has begun: 408 */
    DEADLINE_BODY,        /* a body has begun: 408 */
    DEADLINE_WRITE_GRACE, /* a reply is leaving: now the floor counts */
    DEADLINE_WRITE,       /* next look at the floor */
    DEADLINE_LINGER,      /* the last reply has left: close */
    DEADLINE_REPLY,       /* the application keeps a request: 503 */
    DEADLINE_LAST_CALL,   /* draining, and nothing of a request is there: close */
    DEADLINE_KINDS,
    DEADLINE_NONE = DEADLINE_KINDS,
};

struct deadline {
    struct deadline *prev, *next;
    int64_t at_ms;
    enum deadline_kind kind;
};

struct deadlines {
    struct deadline lists[DEADLINE_KINDS]; /* heads of circular lists */
    int64_t length_ms[DEADLINE_KINDS];
};

void deadlines_init(struct deadlines *ds);
void deadline_init(struct deadline *d); /* in no list */

/* `now_ms` must not go back from call to call. */
void deadline_set(
    struct deadlines *ds, struct deadline *d, enum deadline_kind kind, int64_t now_ms);
void deadline_clear(struct deadline *d);

/* Takes one that has passed out of its list, with its kind kept; NULL when there is none. */
struct deadline *deadlines_pop(struct deadlines *ds, int64_t now_ms);
