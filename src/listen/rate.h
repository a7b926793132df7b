/*
 * The rate-limit headers of a response, RateLimit and RateLimit-Policy of the IETF draft:
 *
 *     RateLimit: "minute";r=59;t=42, "month";r=99000;t=86400
 *     RateLimit-Policy: "minute";q=60;w=60, "month";q=100000;w=2592000
 */
#pragma once

#include "base/str.h"

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
