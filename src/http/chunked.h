/*
 * Watches a chunked body go by, byte for byte and strictly (RFC 9112 7.1), in front of llhttp,
 * which decodes it: whoever stood before us must find the end where we find it. Chunk sizes are hex
 * digits only, lines end in CRLF, extensions and trailers hold no control byte, and the sums of
 * data and of raw bytes are bounded.
 */
#pragma once

#include "http/bounds.h"

#include "base/str.h"

enum chunked_result { CHUNKED_MORE, CHUNKED_DONE, CHUNKED_BAD, CHUNKED_TOO_LARGE };

struct chunked {
    int state;
    unsigned digits; /* of this chunk's size */
    uint32_t left;   /* of this chunk's data */
    uint32_t data;   /* of all chunks */
    uint32_t raw;    /* bytes seen */
};

void chunked_init(struct chunked *c);

/* Sets *ret_used: the bytes of p[0..n) that belong to the body. */
enum chunked_result chunked_take(struct chunked *c, const char *p, size_t n, size_t *ret_used);
