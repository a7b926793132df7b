/*
 * Parses a query string strictly: pairs separated by '&', "+" and %XX decoded, nothing repaired.
 * Parameter names are the caller's table.
 *
 * Text without an escape is not copied: pairs then point into the caller's text, which must outlive
 * them. Decoded text lives in the arena.
 */
#pragma once

#include "base/buf.h"
#include "base/mem.h"

enum { QUERY_PAIRS_MAX = 32 };

struct query_pair {
    struct str name;  /* decoded, may be empty ("=x") */
    struct str value; /* decoded; null without '=' */
};

struct query_pairs {
    size_t count;
    struct query_pair pairs[QUERY_PAIRS_MAX];
};

enum query_verdict {
    QUERY_OK,
    QUERY_BAD_ESCAPE, /* '%' without two hex digits after it */
    QUERY_TOO_MANY,   /* more than QUERY_PAIRS_MAX pairs */
};

/* Parses `text` (the part after '?'; null or empty give no pairs) in order. Skips empty pairs
 * ("a=1&&", "&"). For a verdict other than QUERY_OK, *ret holds the pairs before the bad one. */
enum query_verdict query_read(struct str text, struct arena *arena, struct query_pairs *ret);

/* Decodes %XX (and "+" as a space if plus_is_space: query strings, not paths). false: invalid
 * escape. Text without an escape is returned unchanged. */
bool query_decode(struct str text, bool plus_is_space, struct arena *arena, struct str *ret);

/* Appends `text` with every byte except unreserved characters (RFC 3986: letters, digits, - . _ ~)
 * as %XX. */
void query_encode(struct buf *b, struct str text);
