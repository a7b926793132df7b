/*
 * How answers are written: errors, pages made of fragments of the feed, bodies made whole, and
 * fixed texts. All answers with content get a strong entity tag, 304, and gzip from 1 KiB up
 * (decision 28); none of them is sent here, the gate does that.
 *
 * A tag is a hash of the media type, the coding and the content, so equal content has an equal tag
 * on every node; compressed pages are kept by it.
 */
#pragma once

#include "api/api_call.h"
#include "api/headers.h"
#include "feed/feed.h"

/* An error with its own headers (Allow, WWW-Authenticate, Retry-After). A null hint takes the
 * table's. */
void reply_error(struct api_call *call, enum error_code error, struct str hint);
void reply_rate_limited(struct api_call *call);
void reply_preflight(struct api_call *call);

/* JSON: before, the rows with commas between them, after. What is in `before` and `after` is hashed
 * as text, the rows by their tags. */
struct reply_page {
    struct str before;
    const struct feed_row *rows;
    size_t count;
    struct str after;
};

void reply_page(struct api_call *call, const struct reply_page *page);

/* The body stands in http_body(call->x) already. */
void reply_whole(struct api_call *call, enum media media);

/* A text that never changes while the process lives. */
struct fixed_text {
    enum media media;
    struct str headers; /* more header lines; null: none */
    struct buf plain;
    struct buf gzip; /* empty when plain is too small */
    uint64_t hash;
};

/* Completes a text whose plain form was written. */
void fixed_text_seal(struct fixed_text *text);
void fixed_text_finish(struct fixed_text *text);
void reply_fixed(struct api_call *call, const struct fixed_text *text);
