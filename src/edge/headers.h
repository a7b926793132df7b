/*
 * The table of response headers with their descriptions, for OpenAPI and the docs, and the blocks
 * of headers that are sent together (spec 8.3, decisions 20, 24, 28).
 */
#pragma once

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
    HEADER_WAITING,
    HEADER_DISPOSITION,
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
    MEDIA_MARKDOWN,
    MEDIA_XML,
    MEDIA_STYLE,
    MEDIA_SCRIPT,
    MEDIA_ICON,
    MEDIA_PNG,
    MEDIA_EVENTS, /* server-sent events */
    MEDIA_LINES,  /* of JSON */
    MEDIA_COUNT
};

struct str media_type(enum media media); /* the Content-Type; null for MEDIA_NONE */

/* Content-Type, and the headers that every response of the API has: caching, CORS, nosniff. */
struct str headers_common(enum media media);

/* How long a page may be kept: checked each time by its entity tag; not at all, because it is of
 * one visitor, or behind an address that nobody else may learn; for good, because its address
 * changes with its content; or by a cache in front of the server, for a minute, or until the server
 * purges it (a day at most). Browsers check these two each time. */
enum page_keep {
    CACHE_CHECKED,
    CACHE_NO_STORE,
    CACHE_PRIVATE_LINK,
    CACHE_IMMUTABLE,
    CACHE_SHARED,
    CACHE_PURGED,
    CACHE_COUNT
};

/* A cache may give the response to others than the one who asked. */
static inline bool page_keep_is_shared(enum page_keep keep)
{
    return keep >= CACHE_IMMUTABLE;
}

/* Writes Content-Type, and the headers that every response of the site has: caching, and what
 * browsers must not do with it. MEDIA_NONE: no Content-Type. */
void headers_page(struct http_exchange *x, enum media media, enum page_keep cache);

/* Writes the caller's window: three X-RateLimit headers about the minute, and two of the IETF draft
 * about minute and month. Not for responses that a cache may give to others (decision 24). */
void headers_window(struct http_exchange *x, const struct limits_answer *window, int64_t now_ms);
