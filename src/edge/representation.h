/*
 * The choice of a representation: entity tag, 304, and gzip from 1 KiB on (decision 28).
 */
#pragma once

#include "edge/headers.h"
#include "http/etag.h"

struct representation {
    bool gzip;
    bool unchanged; /* 304: the client has this representation */
    struct etag etag;
};

/* Chooses the representation of a content with this hash and size, and sets the status. The caller
 * writes the headers of the media type and calls representation_put, then writes the content,
 * compressed if `gzip` says so, unless it is unchanged. */
struct representation representation_choose(
    struct http_exchange *x, enum media media, uint64_t hash, size_t size);

/* "bytes=5-9", "bytes=5-", "bytes=-5" of a content of this size, as bytes from *ret_at and before
 * *ret_end: there are none if they are not in order. False: it is not one range, and nothing is
 * set. */
bool range_read(struct str text, uint64_t size, uint64_t *ret_at, uint64_t *ret_end);

/* The bytes of a content of this size that the client asks for by Range, one range of it, unless
 * If-Range names another content (RFC 9110 14). *ret_end: after the last. Sets the status 206 and
 * Content-Range, or 416 (false: there are no such bytes); without a range it is the whole. */
bool representation_range(
    struct http_exchange *x, const struct representation *r, uint64_t size, uint64_t *ret_at,
    uint64_t *ret_end);

/* Writes ETag and Content-Encoding. */
void representation_put(struct http_exchange *x, const struct representation *r);

/* Both, with the headers of the API in between. */
struct representation representation_begin(
    struct http_exchange *x, enum media media, uint64_t hash, size_t size);
