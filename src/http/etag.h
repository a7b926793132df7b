/*
 * Entity tags (RFC 9110 8.8.3): strong, made from a 64-bit hash over the representation, the coding
 * and the content (decision 28).
 */
#pragma once

#include "base/str.h"

enum { ETAG_SIZE = 18 }; /* two quotes and 16 hex digits */

struct etag {
    char text[ETAG_SIZE]; /* no NUL */
};

struct etag etag_from_hash(uint64_t hash);

static inline struct str etag_str(const struct etag *etag)
{
    return (struct str){etag->text, ETAG_SIZE};
}

/* Returns true if the value of If-None-Match names this tag: "*", or a list with an equal tag by
 * the weak comparison (W/"x" equals "x"). A malformed list matches up to its first error. Null:
 * false. */
bool etag_list_has(struct str if_none_match, struct str tag);
