/*
 * Checks a chunked body strictly, byte by byte (RFC 9112 7.1), before llhttp decodes it: a proxy in
 * front of this server must find the same end. Chunk sizes have at most 16 hex digits, lines end in
 * CRLF, trailers contain no control byte and no framing header, and the sums of data and of raw
 * bytes are bounded.
 *
 * Extensions are names, the last of which may have a value, a token or in quotes without escapes:
 * ";a;b=c". RFC 9112 7.1.1 also allows white space, escapes and values in the middle. Clients do
 * not send those, parsers disagree on them, and llhttp 8.1 accepts only some.
 */
#pragma once

#include "http/bounds.h"

#include "base/str.h"

enum chunked_result { CHUNKED_MORE, CHUNKED_DONE, CHUNKED_BAD, CHUNKED_TOO_LARGE };

enum { CHUNKED_NAME_MAX = 17 }; /* transfer-encoding */

struct chunked {
    int state;
    unsigned digits;             /* of this chunk's size */
    uint32_t left;               /* of this chunk's data */
    uint32_t data;               /* of all chunks */
    uint32_t raw;                /* bytes seen */
    char name[CHUNKED_NAME_MAX]; /* of this trailer, as far as it fits, in lower case */
    uint32_t name_n;
};

void chunked_init(struct chunked *c);

/* Sets *ret_used to the number of bytes of p[0..n) that belong to the body. */
enum chunked_result chunked_take(struct chunked *c, const char *p, size_t n, size_t *ret_used);
