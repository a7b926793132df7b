/*
 * What a key was used for: responses by kind, counted per UTC day, and the latest errors (decision
 * 43).
 */
#pragma once

#include "base/instant.h"

enum usage_kind {
    USAGE_OK,           /* 2xx */
    USAGE_NOT_MODIFIED, /* 304 */
    USAGE_CLIENT_ERROR, /* 4xx except 429 */
    USAGE_RATE_LIMITED, /* 429 */
    USAGE_SERVER_ERROR, /* 5xx */
    USAGE_KINDS
};

enum {
    USAGE_ERRORS_KEPT = 20, /* per key */
    USAGE_DAYS_SHOWN = 30,  /* today included */
    USAGE_MONTHS_KEPT = 13, /* before the present one */
};

struct usage_counts {
    int64_t n[USAGE_KINDS];
};

/* A response with an error. No query string, address or part of a key. */
struct usage_error {
    int64_t at; /* the latest, if there are several */
    int status;
    struct str error; /* the code of the body */
    struct str path;  /* as in the reference, `/api/v1/trades/{id}`; null: no such path */
    int64_t count;    /* above 1 only for rate_limited: the responses of one minute are one error */
};

enum usage_kind usage_kind_of(int status);

/* The two are one: 429s of the same minute. */
bool usage_error_joins(const struct usage_error *a, const struct usage_error *b);

int32_t usage_first_day(int64_t now_ms); /* of those shown */
int32_t usage_first_kept_day(int64_t now_ms);
