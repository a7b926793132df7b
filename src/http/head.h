/*
 * Checks the head of a request in one pass before llhttp sees a byte. (llhttp 8.1 accepts a bare
 * line feed, folded lines and two Hosts, and a bare CR can smuggle a header past its callbacks.)
 *
 * Invariants of a HEAD_WHOLE head: every line ends in CRLF and contains no control byte except tab.
 * The request line is method, target and version with one space between. Every other line is a
 * token, a colon and a value. HTTP/1.1 has exactly one valid Host, HTTP/1.0 at most one.
 * Content-Length and Transfer-Encoding are not both present, not repeated, and well formed.
 *
 * Bytes arrive in pieces, and the result does not depend on how they were split. Names are
 * converted to lower case in place; the strings point into the caller's bytes.
 */
#pragma once

#include "http/bounds.h"
#include "http/http.h"

enum head_result { HEAD_MORE, HEAD_WHOLE, HEAD_REFUSED };

struct head {
    size_t line;    /* offset of the incomplete line */
    size_t scanned; /* no line feed between `line` and here */
    bool began;     /* the request line was read */
    bool skipped;   /* one empty line before it (RFC 9112 2.2) */

    struct http_request request;
    struct http_header headers[HTTP_HEADERS_MAX];
    size_t headers_at; /* offset of the first header line */
    size_t hosts;
    size_t content_lengths;
    size_t transfer_encodings;
    bool wants_close, wants_kept; /* from Connection */

    /* valid if HEAD_WHOLE */
    size_t size;            /* bytes, including the empty line */
    int64_t content_length; /* -1: none */
    bool chunked;
    bool expects_continue;

    /* valid if HEAD_REFUSED */
    int status;
    const char *why;
};

void head_init(struct head *h);

/* p[0..n) is the whole head so far, and perhaps more. Each call passes the same p, or the same
 * bytes moved and the head initialised again. A rejected head keeps the fields read before the
 * error. */
enum head_result head_take(struct head *h, char *p, size_t n);
