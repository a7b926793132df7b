/*
 * Counts of responses by route and status, and their durations, for /metrics. Each thread counts in
 * its own memory, without shared cache lines; the page adds them up. An application has one struct
 * for all its routes.
 */
#pragma once

#include "base/buf.h"

struct traffic;

/* The routes are 0 to routes - 1; name(i) has the pattern of a route, such as "/docs/{name}". */
struct traffic *traffic_create(size_t routes, const char *(*name)(size_t route));
void traffic_destroy(struct traffic *traffic); /* call it when no thread counts; NULL is ignored */

/* Counts one response. A request without a route has the number `routes`. */
void traffic_note(struct traffic *traffic, size_t route, int status, int64_t took_ns);

/* Writes the metrics of several applications, at most TRAFFIC_APPS_MAX, whose routes differ. */
enum { TRAFFIC_APPS_MAX = 4 };
void traffic_put(struct buf *b, struct traffic *const *apps, size_t n);
