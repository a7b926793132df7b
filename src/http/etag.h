/*
 * Entity tags (RFC 9110 8.8.3): ours are strong, made from a 64-bit hash into which the caller has
 * put the representation, the coding and the content (decision 28).
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

/* Does the value of If-None-Match name this tag: "*", or a list with an equal tag by the weak
 * comparison (W/"x" is "x")? A malformed list matches up to where it is well formed. Null: no. */
bool etag_list_has(struct str if_none_match, struct str tag);
