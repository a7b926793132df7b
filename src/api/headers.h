/*
 * Response headers as a table: what each means, for OpenAPI and the docs, and the blocks of them
 * that are sent as they stand (spec 8.3, decisions 20, 24, 28).
 */
#pragma once

#include "api/errors.h"
#include "http/http.h"
#include "limits/limits.h"

enum header_id {
    HEADER_LIMIT,
    HEADER_REMAINING,
    HEADER_RESET,
    HEADER_RATE_LIMIT,
    HEADER_RATE_LIMIT_POLICY,
    HEADER_REQUEST_ID,
    HEADER_RETRY_AFTER,
    HEADER_ETAG,
    HEADER_LINK,
    HEADER_NEXT_CURSOR,
    HEADER_ALLOW,
    HEADER_AUTHENTICATE,
    HEADER_COUNT
};

struct header_info {
    struct str name;
    bool integer;
    bool always; /* on every response of the API */
    struct str example;
    struct str description;
};

const struct header_info *header_info(enum header_id id);

/* What a body is; a block of headers goes with each. */
enum media {
    MEDIA_NONE,
    MEDIA_JSON,
    MEDIA_CSV,
    MEDIA_HTML,
    MEDIA_TEXT,
    MEDIA_METRICS,
    MEDIA_COUNT
};

struct str media_type(enum media media); /* the Content-Type; null for MEDIA_NONE */

/* Content-Type and what is the same on every response: caching, CORS, no sniffing. */
struct str headers_common(enum media media);

/* The window of the caller: the three X-RateLimit headers and the IETF draft's two. */
void headers_window(struct http_exchange *x, const struct limits_answer *window, int64_t now_ms);
