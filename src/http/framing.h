/*
 * Finds the end of a request: llhttp gets a head that head.c accepted, and the body bytes. Two
 * parsers check everything (head.c or chunked.c, and llhttp), and a request on which they differ is
 * rejected.
 *
 * llhttp never sees the request line: head.c parses it alone, any method frames alike (RFC 9112
 * 6.3), and llhttp knows only some methods. This is the only file that includes its header.
 */
#pragma once

#include "base/mem.h"
#include "http/spool.h"

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

enum framing_result {
    FRAMING_MORE,      /* the body is incomplete */
    FRAMING_DONE,      /* the request is complete */
    FRAMING_BAD,       /* 400 */
    FRAMING_TOO_LARGE, /* 413 */
};

enum { FRAMING_PARSER_SIZE = 128 };

struct framing {
    _Alignas(max_align_t) unsigned char parser[FRAMING_PARSER_SIZE]; /* an llhttp_t */
    struct chunked chunked;
    bool is_chunked;
    bool whole;        /* llhttp reports the end */
    uint32_t expected; /* content length still to come */
    char *body;        /* decoded; in the arena */
    size_t body_n, body_max;
    struct spool *spool; /* NULL, or set after framing_begin: takes the body instead */
};

/* `headers` are the header lines with the empty line after them; `content_length` is -1 without
 * one. The struct contains a pointer to itself and must not move until the request is complete. */
enum framing_result framing_begin(
    struct framing *f, struct str headers, bool http_1_0, int64_t content_length, bool chunked);

/* Feeds body bytes. *ret_used of them belong to this request. */
enum framing_result framing_take(
    struct framing *f, struct arena *arena, struct str bytes, size_t *ret_used);
