/*
 * The table of all errors of the API (spec 7, decision 18), for replies, OpenAPI, docs and tests. A
 * body is {"error": code, "hint"?: text}; that of a denied draw is exactly {"error":
 * "rate_limited", "retryAfterSeconds": n}. A body never has internal details.
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
    ERROR_ALERT_LIMIT_REACHED,
    ERROR_NOT_FOUND,
    ERROR_METHOD_NOT_ALLOWED,
    ERROR_REQUEST_TIMEOUT,
    ERROR_GONE,
    ERROR_HISTORY_REPLACED,
    ERROR_CONTENT_TOO_LARGE,
    ERROR_URI_TOO_LONG,
    ERROR_RATE_LIMITED,
    ERROR_HEADERS_TOO_LARGE,
    ERROR_INTERNAL_ERROR,
    ERROR_NOT_IMPLEMENTED,
    ERROR_SERVICE_UNAVAILABLE,
    ERROR_COUNT
};

/* Where an error can occur, which decides the operations that document it. */
enum error_scope {
    ERROR_SCOPE_REQUEST,   /* any request, even if it reaches no operation */
    ERROR_SCOPE_OPERATION, /* requests that reach an operation of the API */
    ERROR_SCOPE_CURSOR,    /* operations that take a cursor */
    ERROR_SCOPE_CSV,       /* operations with CSV export */
    ERROR_SCOPE_ITEM,      /* operations with a path parameter */
    ERROR_SCOPE_GONE,      /* operations on something that can be withdrawn */
    ERROR_SCOPE_SEQUENCE,  /* operations that continue a sequence */
    ERROR_SCOPE_DATA,      /* operations with a body made from data */
    ERROR_SCOPE_COMMAND,   /* commands only, with --json */
};

struct error_info {
    int status;
    struct str code;
    struct str condition; /* when it occurs, for the docs */
    struct str hint;      /* the default hint; null: none */
    enum error_scope scope;
};

const struct error_info *error_info(enum error_code error);

/* The error for a status that the HTTP server chose; ERROR_BAD_REQUEST for 400. */
enum error_code error_from_status(int status);

/* Writes the body of an error other than ERROR_RATE_LIMITED. Null hint: the default. */
void error_body(struct buf *b, enum error_code error, struct str hint);

/* Writes the body of ERROR_GONE, with the members withdrawnAt and reason. */
void error_body_gone(struct buf *b, int64_t withdrawn_at, struct str reason);

/* Writes the body of ERROR_RATE_LIMITED. */
void error_body_rate_limited(struct buf *b, int64_t retry_after_s);
