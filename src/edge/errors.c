/* The table of errors; see errors.h. */
#include "edge/errors.h"

#include <assert.h>

#include "base/json_out.h"

/* For an error without a hint. */
#define STR_NONE                                                                                   \
    {                                                                                              \
        NULL, 0                                                                                    \
    }

static const struct error_info errors[ERROR_COUNT] = {
    [ERROR_INVALID_PARAMETER] =
        {400, STR_INIT("invalid_parameter"),
         STR_INIT("A query parameter is unknown, repeated, empty, or its value is not accepted. "
                  "The hint names the parameter and what it accepts."),
         STR_INIT("Check the names and values of the query parameters."), ERROR_SCOPE_OPERATION},
    [ERROR_INVALID_CURSOR] =
        {400, STR_INIT("invalid_cursor"),
         STR_INIT("The cursor is malformed, truncated, empty, or from another resource."),
         STR_INIT("Pass nextCursor unchanged, to the resource that returned it."),
         ERROR_SCOPE_CURSOR},
    [ERROR_BAD_REQUEST] =
        {400, STR_INIT("bad_request"), STR_INIT("The request is not well-formed HTTP."),
         STR_INIT("The request is not well-formed HTTP/1.1."), ERROR_SCOPE_REQUEST},
    [ERROR_INVALID_API_KEY] =
        {401, STR_INIT("invalid_api_key"),
         STR_INIT(
             "The API key is malformed, unknown or revoked; the response does not say which. A "
             "request with an Authorization header is never treated as anonymous. Endpoints that "
             "need a key answer a request without one in the same way."),
         STR_INIT("Send a valid key as Authorization: Bearer <key>, or send no key to use the "
                  "anonymous limits."),
         ERROR_SCOPE_OPERATION},
    [ERROR_PLAN_HAS_NO_API_ACCESS] =
        {403, STR_INIT("plan_has_no_api_access"),
         STR_INIT("The plan of the key's owner does not include API access."),
         STR_INIT("API access is part of the Pack and Den plans. Move the account to one of them; "
                  "the key works again from the next request on."),
         ERROR_SCOPE_OPERATION},
    [ERROR_CSV_EXPORT_NOT_AVAILABLE] =
        {403, STR_INIT("csv_export_not_available"),
         STR_INIT("The request has format=csv but no key, or a key whose plan has no CSV export."),
         STR_INIT("CSV needs an API key of the Pack or Den plan. Leave format out to get JSON."),
         ERROR_SCOPE_CSV},
    [ERROR_API_KEY_LIMIT_REACHED] =
        {403, STR_INIT("api_key_limit_reached"),
         STR_INIT("Command line and account pages only: `stockact keys mint`, or `POST "
                  "/account/api/keys`, for an account that has all the active keys that its plan "
                  "includes. The error object has the plan's `limit`."),
         STR_NONE, ERROR_SCOPE_COMMAND},
    [ERROR_WEBHOOK_ENDPOINT_LIMIT_REACHED] =
        {403, STR_INIT("webhook_endpoint_limit_reached"),
         STR_INIT("Command line and account pages only: `stockact webhooks add`, or `POST "
                  "/account/webhooks`, for an account that has all the endpoints that its plan "
                  "includes. The error object has the plan's `limit`."),
         STR_NONE, ERROR_SCOPE_COMMAND},
    [ERROR_ALERT_LIMIT_REACHED] =
        {403, STR_INIT("alert_limit_reached"),
         STR_INIT("Command line only: `stockact alerts add` for an account that has all the alerts "
                  "that its plan includes. The error object has the plan's `limit`."),
         STR_NONE, ERROR_SCOPE_COMMAND},
    [ERROR_NOT_FOUND] =
        {404, STR_INIT("not_found"),
         STR_INIT("The path, trade, politician or symbol does not exist. A path with a trailing "
                  "slash is a different path."),
         STR_INIT("Nothing exists at this path. Paths of the API begin with /api/v1 and are "
                  "case-sensitive; /docs lists them."),
         ERROR_SCOPE_ITEM},
    [ERROR_METHOD_NOT_ALLOWED] =
        {405, STR_INIT("method_not_allowed"),
         STR_INIT("The method is not GET, HEAD or OPTIONS. Allow lists these."),
         STR_INIT("Use GET: the API is read-only."), ERROR_SCOPE_REQUEST},
    [ERROR_REQUEST_TIMEOUT] =
        {408, STR_INIT("request_timeout"),
         STR_INIT("The request did not arrive in time: 10 seconds for its head, 20 for a body."),
         STR_INIT("The request did not arrive in time."), ERROR_SCOPE_REQUEST},
    [ERROR_GONE] =
        {410, STR_INIT("gone"), STR_INIT("The trade was withdrawn; the hint says why."),
         STR_INIT("This was withdrawn."), ERROR_SCOPE_GONE},
    [ERROR_HISTORY_REPLACED] =
        {410, STR_INIT("history_replaced"),
         STR_INIT("The cursor names an entry that the sequence does not have: the operator has "
                  "restored a backup since."),
         STR_INIT("Begin a new copy, without cursor and after."), ERROR_SCOPE_SEQUENCE},
    [ERROR_CONTENT_TOO_LARGE] =
        {413, STR_INIT("content_too_large"),
         STR_INIT("The request has a body of more than 8 KiB. No endpoint needs a body; a smaller "
                  "one is ignored."),
         STR_INIT("Send no body: no endpoint needs one."), ERROR_SCOPE_REQUEST},
    [ERROR_URI_TOO_LONG] =
        {414, STR_INIT("uri_too_long"), STR_INIT("The request target is longer than 8,192 bytes."),
         STR_INIT("Shorten the request target to at most 8,192 bytes."), ERROR_SCOPE_REQUEST},
    [ERROR_RATE_LIMITED] =
        {429, STR_INIT("rate_limited"),
         STR_INIT("The limit of the minute or the month is used up; for /api/v1/usage, the one "
                  "request of the second; for a stream, the number of streams of one caller. "
                  "Retry-After and retryAfterSeconds say how long to wait."),
         STR_NONE, ERROR_SCOPE_OPERATION},
    [ERROR_HEADERS_TOO_LARGE] =
        {431, STR_INIT("headers_too_large"),
         STR_INIT("The header section is larger than 16 KiB or has too many lines."),
         STR_INIT("Send fewer or shorter headers."), ERROR_SCOPE_REQUEST},
    [ERROR_INTERNAL_ERROR] =
        {500, STR_INIT("internal_error"), STR_INIT("The server failed."),
         STR_INIT("The server failed. Try again; if it keeps failing, report the X-Request-Id."),
         ERROR_SCOPE_DATA},
    [ERROR_NOT_IMPLEMENTED] =
        {501, STR_INIT("not_implemented"), STR_INIT("The server does not know the method."),
         STR_INIT("Use GET: the API is read-only."), ERROR_SCOPE_REQUEST},
    [ERROR_SERVICE_UNAVAILABLE] =
        {503, STR_INIT("service_unavailable"),
         STR_INIT("The server is starting, stopping or overloaded, or its database or Redis does "
                  "not answer. The request was not counted. Retry-After says when to try again."),
         STR_INIT("Try again after the number of seconds in Retry-After."), ERROR_SCOPE_REQUEST},
};

const struct error_info *error_info(enum error_code error)
{
    assert(error < ERROR_COUNT);
    return &errors[error];
}

enum error_code error_from_status(int status)
{
    if (status == 400)
        return ERROR_BAD_REQUEST;
    for (int i = 0; i < ERROR_COUNT; i++)
        if (errors[i].status == status && errors[i].scope == ERROR_SCOPE_REQUEST)
            return (enum error_code)i;
    return ERROR_INTERNAL_ERROR;
}

void error_body(struct buf *b, enum error_code error, struct str hint)
{
    struct json_out j;
    assert(error != ERROR_RATE_LIMITED);
    json_init(&j, b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "error", error_info(error)->code);
    JSON_KEY_STR(&j, "hint", str_is_null(hint) ? error_info(error)->hint : hint);
    json_object_end(&j);
}

void error_body_gone(struct buf *b, int64_t withdrawn_at, struct str reason)
{
    enum { HINT_MAX = 4096 };
    struct json_out j;
    struct buf hint;
    buf_init(&hint, HINT_MAX);
    buf_fmt(&hint, "Withdrawn: %.*s", STR_ARG(reason));
    json_init(&j, b);
    json_object_begin(&j);
    JSON_KEY_STR(&j, "error", error_info(ERROR_GONE)->code);
    JSON_KEY_STR(&j, "hint", hint.overflow ? error_info(ERROR_GONE)->hint : buf_view(&hint));
    JSON_KEY_INSTANT(&j, "withdrawnAt", withdrawn_at);
    JSON_KEY_STR(&j, "reason", reason);
    json_object_end(&j);
    buf_finish(&hint);
}

void error_body_rate_limited(struct buf *b, int64_t retry_after_s)
{
    buf_str(b, STR("{\"error\":\"rate_limited\",\"retryAfterSeconds\":"));
    buf_i64(b, retry_after_s);
    buf_char(b, '}');
}
