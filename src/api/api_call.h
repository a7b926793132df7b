/*
 * One request on its way through the gate and its resource. It is made by the gate in the
 * exchange's arena and ends with the exchange.
 */
#pragma once

#include "api/operation.h"
#include "core/plan.h"
#include "http/http.h"
#include "limits/limits.h"

struct api;

/* Who asks, once the credential was looked at (decision 19). */
enum caller_kind {
    CALLER_ANONYMOUS,
    CALLER_KEY,         /* draws from the key's windows */
    CALLER_BAD_KEY,     /* 401 after a draw from the address */
    CALLER_WITHOUT_API, /* a key whose plan has no API access: 403 after a draw from the address */
};

struct api_call {
    struct api *api;
    struct http_exchange *x;
    const struct http_request *request;
    const struct operation *operation; /* NULL: no such path */
    bool metered;       /* under /api/v1, whether or not there is such an operation */
    struct str segment; /* decoded; null: the path has none */

    enum caller_kind caller;
    enum plan plan;      /* of a CALLER_KEY */
    char key_prefix[13]; /* NUL-terminated; empty unless a known key was shown */
    struct address peer; /* of the socket; set unless a key draws */
    struct limits_caller drawer;
    bool drawn; /* a 503 gives it back */
    struct limits_answer window;

    struct param_values params;
    enum error_code error; /* what was answered; ERROR_COUNT: none */
};
