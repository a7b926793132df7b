/*
 * The state of one request. The gate creates it in the exchange's arena; it ends with the exchange.
 */
#pragma once

#include "access/access.h"
#include "api/operation.h"
#include "http/stream.h"
#include "limits/limits.h"
#include "rule/plan.h"

struct api;
struct api_texts;
struct trade_stream;

/* The caller, according to the credential (decision 19). */
enum caller_kind {
    CALLER_ANONYMOUS,
    CALLER_KEY,         /* a valid key: draws from the key's windows */
    CALLER_BAD_KEY,     /* 401 after a draw from the address's windows */
    CALLER_WITHOUT_API, /* its plan has no API access: 403 after a draw like CALLER_BAD_KEY */
};

struct api_call {
    struct api *api;
    struct http_exchange *x;
    const struct http_request *request;
    const struct operation *operation; /* NULL: unknown path */
    bool inner;                        /* asked by a tool: the reply is for it (gate_ask) */
    bool metered;                      /* the path is under /api/v1; the operation may be unknown */
    struct str segment;                /* the path parameter, decoded; null: there is none */

    enum caller_kind caller;
    const struct access_key *key; /* NULL: the request has no known key */
    enum plan plan;               /* of the key's owner */
    char key_prefix[13];          /* NUL-terminated; empty: the request has no known key */
    struct address peer;          /* address of the socket; not set for CALLER_KEY */
    struct limits_caller drawer;
    bool drawn; /* a draw was granted; a 503 refunds it */
    bool free;  /* granted without a draw (decision 43) */
    struct limits_answer window;

    struct param_values params;
    struct api_texts *texts; /* of a fixed text: with or without the notice of invented data */
    struct trade_stream *stream;
    const struct http_streamer *streamer; /* of the stream; NULL: the reply has an end */
    enum error_code error;                /* the error of the reply; ERROR_COUNT: none */
};
