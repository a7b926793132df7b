/*
 * Maps paths to handlers. A pattern is literal text with whole segments in braces,
 * "/api/v1/politicians/{slug}"; a segment in braces matches any one segment that is not empty.
 * Literal patterns take precedence over those with braces. Segments are percent-decoded (decision
 * 16) before they are compared and passed on. A path with a trailing slash is a different path.
 */
#pragma once

#include "http/http.h"

#define ROUTE_METHOD(method) (1u << (method))

enum { ROUTE_SEGMENTS_MAX = 3 };

struct route {
    const char *pattern;
    unsigned methods;   /* ROUTE_METHOD(HTTP_GET) | ... */
    const void *target; /* the caller's: a handler, a table row */
};

struct router;

/* `routes` must outlive the router. A pattern may occur again with other methods. */
struct router *router_create(const struct route *routes, size_t n);
void router_destroy(struct router *router); /* NULL is ignored */

struct route_match {
    const struct route *route; /* NULL: no such path, or not with this method */
    unsigned allowed;          /* the methods of this path's routes; 0: no such path (404) */
    struct str segments[ROUTE_SEGMENTS_MAX]; /* decoded, in the order of the braces */
    size_t segment_count;
};

/* Decoded segments live in the arena. */
void router_find(
    const struct router *router, enum http_method method, struct str path, struct arena *arena,
    struct route_match *ret);

/* `path` is `prefix`, or an address below it. */
bool route_is_under(struct str path, struct str prefix);
