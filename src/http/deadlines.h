/*
 * Deadlines of one loop's connections. All deadlines of a kind have the same length, so a list that
 * is appended to stays sorted, and setting, moving and clearing cost a few pointers. One coarse
 * timer checks the heads.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum deadline_kind {
    DEADLINE_IDLE,      /* no byte of a request: close */
    DEADLINE_HEAD,      /* an incomplete head: 408 */
    DEADLINE_BODY,      /* an incomplete body: 408 */
    DEADLINE_LINGER,    /* the last reply was sent: close */
    DEADLINE_REPLY,     /* the application keeps a request: 503 */
    DEADLINE_PATIENT,   /* the same, of one that takes long */
    DEADLINE_LAST_CALL, /* draining, no byte of a request: close */
    DEADLINE_READER,    /* next look at the bytes that the client has not taken */
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
void deadline_init(struct deadline *d); /* not in a list */

/* `now_ms` must not decrease between calls. */
void deadline_set(
    struct deadlines *ds, struct deadline *d, enum deadline_kind kind, int64_t now_ms);
void deadline_clear(struct deadline *d);

/* Removes an expired deadline from its list, with its kind kept; NULL: none expired. */
struct deadline *deadlines_pop(struct deadlines *ds, int64_t now_ms);
