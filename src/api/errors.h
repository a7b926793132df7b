/*
 * Every error the service can answer with, as one table that answers, OpenAPI, docs and tests read
 * (spec 7, decision 18). A body is {"error": code, "hint"?: text}; a denied draw is exactly
 * {"error": "rate_limited", "retryAfterSeconds": n}. Nothing of the inside of the service is ever
 * in a body.
 */
#pragma once

#include "base/buf.h"

enum error_code {
    ERROR_INVALID_PARAMETER,
    ERROR_INVALID_CURSOR,
    ERROR_BAD_REQUEST,
    ERROR_INVALID_API_KEY,
    ERROR_PLAN_HAS_NO_API_ACCESS,
    ERROR_CSV_EXPORT_NOT_AVAILABLE,
    ERROR_API_KEY_LIMIT_REACHED,
    ERROR_WEBHOOK_ENDPOINT_LIMIT_REACHED,
    ERROR_NOT_FOUND,
    ERROR_METHOD_NOT_ALLOWED,
    ERROR_REQUEST_TIMEOUT,
    ERROR_GONE,
    ERROR_CONTENT_TOO_LARGE,
    ERROR_URI_TOO_LONG,
    ERROR_RATE_LIMITED,
    ERROR_HEADERS_TOO_LARGE,
    ERROR_INTERNAL_ERROR,
    ERROR_NOT_IMPLEMENTED,
    ERROR_SERVICE_UNAVAILABLE,
    ERROR_COUNT
};

/* Where an error can come from; decides which operations document it. */
enum error_scope {
    ERROR_SCOPE_REQUEST,   /* any request, also one that never reached a route */
    ERROR_SCOPE_OPERATION, /* a request that reached an operation of the API */
    ERROR_SCOPE_CURSOR,    /* operations that take a cursor */
    ERROR_SCOPE_CSV,       /* operations that can answer with CSV */
    ERROR_SCOPE_ITEM,      /* operations that name one thing in their path */
    ERROR_SCOPE_GONE,      /* of those, where the thing can be withdrawn */
    ERROR_SCOPE_DATA,      /* operations that answer from data; a fixed text cannot fail */
    ERROR_SCOPE_COMMAND,   /* commands print it with --json; no request is answered with it */
};

struct error_info {
    int status;
    struct str code;
    struct str condition; /* when it happens: for people, in docs */
    struct str hint;      /* the hint unless the answer has a better one; null: none */
    enum error_scope scope;
};

const struct error_info *error_info(enum error_code error);

/* The error that answers a status decided by the HTTP edge; 400 gives ERROR_BAD_REQUEST. */
enum error_code error_from_status(int status);

/* The body of an error other than ERROR_RATE_LIMITED. A null hint takes the table's. */
void error_body(struct buf *b, enum error_code error, struct str hint);

/* ERROR_RATE_LIMITED. */
void error_body_rate_limited(struct buf *b, int64_t retry_after_s);
