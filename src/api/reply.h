/*
 * Writes replies: errors, pages made of fragments of the feed, and complete bodies. Replies
 * with content get a strong entity tag, 304, and gzip from 1 KiB on (decision 28). The gate
 * sends the reply.
 *
 * An entity tag is a hash of the media type, the coding and the content, so equal content has the
 * same tag on every server. It is also the key of the cache of compressed pages.
 */
#pragma once

#include "api/api_call.h"
#include "edge/headers.h"
#include "feed/feed.h"
#include "noun/field.h"

/* Writes an error with its headers (Allow, WWW-Authenticate, Retry-After). Null hint: the default.
 */
void reply_error(struct api_call *call, enum error_code error, struct str hint);
/* 410 for what was withdrawn. */
void reply_gone(struct api_call *call, int64_t withdrawn_at, struct str reason);
void reply_rate_limited(struct api_call *call);
void reply_preflight(struct api_call *call);

/* A page of JSON: `before`, the rows separated by commas, `after`. `before` and `after` are hashed
 * as text, the rows by their tags. */
struct reply_page {
    struct str before;
    const struct feed_row *rows;
    size_t count;
    struct str after;
    int64_t fields; /* optional members of each Trade (noun/extra.h) */
};

void reply_page(struct api_call *call, const struct reply_page *page);

/* Appends one row, as on a page. */
void reply_row_put(struct buf *b, const struct feed_row *row, int64_t fields);

/* Writes {"data": the object} into the body. */
void reply_object(struct api_call *call, const struct shape_object *object, const void *value);

/* Completes a reply whose body is in http_body(call->x). */
void reply_complete(struct api_call *call, enum media media);
