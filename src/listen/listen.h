/*
 * `stockact listen`: follows the events of a stockact server through its API (GET /api/v1/events)
 * and forwards each to a receiver on the developer's machine. One thread, one request at a time.
 *
 * - An event is sent at most once in a run, whatever happens to the server or the receiver.
 * - The server may restart, hang or be killed: requests are repeated with growing pauses.
 * - Memory is bounded by one page of the API.
 * - An interrupt (SIGINT, SIGTERM, SIGHUP) ends it at once, also while standard output is full.
 */
#pragma once

#include "base/buf.h"
#include "base/err.h"

/* How the lines of `stockact listen` are coloured for a person at a terminal. */

enum listen_tone { LISTEN_FAINT, LISTEN_GOOD, LISTEN_BAD };

struct listen_look {
    void (*paint)(const void *ctx, struct buf *to, enum listen_tone tone, struct str text);
    const void *ctx;
};

/*
 * The rate-limit headers of a response, RateLimit and RateLimit-Policy of the IETF draft:
 *
 *     RateLimit: "minute";r=59;t=42, "month";r=99000;t=86400
 *     RateLimit-Policy: "minute";q=60;w=60, "month";q=100000;w=2592000
 */

/* One window. -1: the header does not say it. */
struct rate_window {
    int64_t limit;  /* q: requests in a window */
    int64_t left;   /* r: requests left */
    int64_t ends_s; /* t: seconds until the next window */
};

struct rate {
    struct rate_window minute, month;
};

/* Null strings: no such header. What is not of the form above is left out. */
void rate_read(struct str rate_limit, struct str policy, struct rate *ret);

/* All texts are borrowed. */
struct listen_config {
    struct str api_url, api_key;
    struct str ca_file; /* null: the system's */
    struct str to;      /* null: print only */
    struct str events;  /* types with commas between them; null: all */
    struct str cursor;  /* where to begin; null: with the next event */
    int64_t last;       /* without a cursor: so many past events first, at most 100 */
    struct str secret;  /* whsec_... */
    bool show_secret;   /* it was derived: the developer needs it */
    bool json;
    const struct listen_look *look; /* NULL: tab-separated text, for programs */
    struct str user_agent;          /* of requests to the receiver */
    int64_t (*wall_ms)(void);
};

/* Returns after an interrupt (OK), or when continuing makes no sense: the key is refused, the plan
 * has no API access, the month is used up, the cursor is invalid, or output cannot be written.
 * *ret_code: the API's code of the error; NULL: none. */
enum err listen_run(const struct listen_config *config, const char **ret_code, struct fail *fail);

/*
 * How long to wait before the next request, as pure functions. The key's limits also serve the
 * developer's program: listening takes at most half of them.
 */

enum {
    PACE_MS = 2000,
    PACE_QUIET_MS = 10 * 1000,            /* once nothing has happened for ... */
    PACE_QUIET_AFTER_MS = 10 * 60 * 1000, /* ... this long */
    PACE_MAX_MS = 5 * 60 * 1000,
    PACE_RETRY_MAX_MS = 30 * 1000,
};

/* After a response. `quiet_ms`: since the start or the last event. */
int64_t pace_next_ms(const struct rate *rate, int64_t quiet_ms);

/* After the n-th failure in a row, from 1. */
int64_t pace_retry_ms(unsigned failures);
