/*
 * The table of response headers with their descriptions, for OpenAPI and the docs, and the blocks
 * of headers that are sent together (spec 8.3, decisions 20, 24, 28).
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
    HEADER_DATA, /* only with invented data */
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

/* The media type of a body. Each has a block of headers. */
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

/* Content-Type, and the headers that every response has: caching, CORS, nosniff. */
struct str headers_common(enum media media);

/* Writes the caller's window: three X-RateLimit headers and two of the IETF draft. */
void headers_window(struct http_exchange *x, const struct limits_answer *window, int64_t now_ms);
