/*
 * The table of all errors of the API (spec 7, decision 18), for replies, OpenAPI, docs and tests. A
 * body is {"error": code, "hint"?: text}; that of a denied draw is exactly {"error":
 * "rate_limited", "retryAfterSeconds": n}. A body never has internal details.
 */
#pragma once

#include "base/buf.h"
#include "base/closed_list.h"

/* The errors: status, code, when, default hint and scope, as struct error_info says. */
#define ERRORS(ENTRY)                                                                              \
    ENTRY(                                                                                         \
        ERROR_INVALID_PARAMETER, 400, "invalid_parameter",                                         \
        "A query parameter is unknown, repeated, empty, or its value is not accepted. The hint "   \
        "names the parameter and what it accepts.",                                                \
        STR_INIT("Check the names and values of the query parameters."), OPERATION)                \
    ENTRY(                                                                                         \
        ERROR_INVALID_CURSOR, 400, "invalid_cursor",                                               \
        "The cursor is malformed, truncated, empty, or from another resource.",                    \
        STR_INIT("Pass nextCursor unchanged, to the resource that returned it."), CURSOR)          \
    ENTRY(                                                                                         \
        ERROR_BAD_REQUEST, 400, "bad_request", "The request is not well-formed HTTP.",             \
        STR_INIT("The request is not well-formed HTTP/1.1."), REQUEST)                             \
    ENTRY(                                                                                         \
        ERROR_INVALID_API_KEY, 401, "invalid_api_key",                                             \
        "The API key is malformed, unknown or revoked; the response does not say which. A "        \
        "request with an Authorization header is never treated as anonymous. Endpoints that need " \
        "a key answer a request without one in the same way.",                                     \
        STR_INIT("Send a valid key as Authorization: Bearer <key>, or send no key to use the "     \
                 "anonymous limits."),                                                             \
        OPERATION)                                                                                 \
    ENTRY(                                                                                         \
        ERROR_PLAN_HAS_NO_API_ACCESS, 403, "plan_has_no_api_access",                               \
        "The plan of the key's owner does not include API access.",                                \
        STR_INIT("API access is part of the Pack and Den plans. Move the account to one of them; " \
                 "the key works again from the next request on."),                                 \
        OPERATION)                                                                                 \
    ENTRY(                                                                                         \
        ERROR_CSV_EXPORT_NOT_AVAILABLE, 403, "csv_export_not_available",                           \
        "The request has format=csv but no key, or a key whose plan has no CSV export.",           \
        STR_INIT("CSV needs an API key of the Pack or Den plan. Leave format out to get JSON."),   \
        CSV)                                                                                       \
    ENTRY(                                                                                         \
        ERROR_API_KEY_LIMIT_REACHED, 403, "api_key_limit_reached",                                 \
        "Command line and account pages only: `stockact keys mint`, or `POST /account/api/keys`, " \
        "for an account that has all the active keys that its plan includes. The error object "    \
        "has the plan's `limit`.",                                                                 \
        {NULL}, COMMAND)                                                                           \
    ENTRY(                                                                                         \
        ERROR_WEBHOOK_ENDPOINT_LIMIT_REACHED, 403, "webhook_endpoint_limit_reached",               \
        "Command line and account pages only: `stockact webhooks add`, or `POST "                  \
        "/account/webhooks`, for an account that has all the endpoints that its plan includes. "   \
        "The error object has the plan's `limit`.",                                                \
        {NULL}, COMMAND)                                                                           \
    ENTRY(                                                                                         \
        ERROR_ALERT_LIMIT_REACHED, 403, "alert_limit_reached",                                     \
        "Command line only: `stockact alerts add` for an account that has all the alerts that "    \
        "its plan includes. The error object has the plan's `limit`.",                             \
        {NULL}, COMMAND)                                                                           \
    ENTRY(                                                                                         \
        ERROR_NOT_FOUND, 404, "not_found",                                                         \
        "The path, trade, politician or symbol does not exist. A path with a trailing slash is a " \
        "different path.",                                                                         \
        STR_INIT("Nothing exists at this path. Paths of the API begin with /api/v1 and are "       \
                 "case-sensitive; /docs lists them."),                                             \
        ITEM)                                                                                      \
    ENTRY(                                                                                         \
        ERROR_METHOD_NOT_ALLOWED, 405, "method_not_allowed",                                       \
        "The method is not GET, HEAD or OPTIONS. Allow lists these.",                              \
        STR_INIT("Use GET: the API is read-only."), REQUEST)                                       \
    ENTRY(                                                                                         \
        ERROR_REQUEST_TIMEOUT, 408, "request_timeout",                                             \
        "The request did not arrive in time: 10 seconds for its head, 20 for a body.",             \
        STR_INIT("The request did not arrive in time."), REQUEST)                                  \
    ENTRY(                                                                                         \
        ERROR_GONE, 410, "gone", "The trade was withdrawn; the hint says why.",                    \
        STR_INIT("This was withdrawn."), GONE)                                                     \
    ENTRY(                                                                                         \
        ERROR_HISTORY_REPLACED, 410, "history_replaced",                                           \
        "The cursor names an entry that the sequence does not have: the operator has restored a "  \
        "backup since.",                                                                           \
        STR_INIT("Begin a new copy, without cursor and after."), SEQUENCE)                         \
    ENTRY(                                                                                         \
        ERROR_CONTENT_TOO_LARGE, 413, "content_too_large",                                         \
        "The request has a body of more than 8 KiB. No endpoint needs a body; a smaller one is "   \
        "ignored.",                                                                                \
        STR_INIT("Send no body: no endpoint needs one."), REQUEST)                                 \
    ENTRY(                                                                                         \
        ERROR_URI_TOO_LONG, 414, "uri_too_long", "The request target is longer than 8,192 bytes.", \
        STR_INIT("Shorten the request target to at most 8,192 bytes."), REQUEST)                   \
    ENTRY(                                                                                         \
        ERROR_RATE_LIMITED, 429, "rate_limited",                                                   \
        "The limit of the minute or the month is used up; for /api/v1/usage, the one request of "  \
        "the second; for a stream, the number of streams of one caller. Retry-After and "          \
        "retryAfterSeconds say how long to wait.",                                                 \
        {NULL}, OPERATION)                                                                         \
    ENTRY(                                                                                         \
        ERROR_HEADERS_TOO_LARGE, 431, "headers_too_large",                                         \
        "The header section is larger than 16 KiB or has too many lines.",                         \
        STR_INIT("Send fewer or shorter headers."), REQUEST)                                       \
    ENTRY(                                                                                         \
        ERROR_INTERNAL_ERROR, 500, "internal_error", "The server failed.",                         \
        STR_INIT("The server failed. Try again; if it keeps failing, report the X-Request-Id."),   \
        DATA)                                                                                      \
    ENTRY(                                                                                         \
        ERROR_NOT_IMPLEMENTED, 501, "not_implemented", "The server does not know the method.",     \
        STR_INIT("Use GET: the API is read-only."), REQUEST)                                       \
    ENTRY(                                                                                         \
        ERROR_SERVICE_UNAVAILABLE, 503, "service_unavailable",                                     \
        "The server is starting, stopping or overloaded, or its database or Redis does not "       \
        "answer. The request was not counted. Retry-After says when to try again.",                \
        STR_INIT("Try again after the number of seconds in Retry-After."), REQUEST)

enum error_code { ERRORS(LIST_NAME) ERROR_COUNT };

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
