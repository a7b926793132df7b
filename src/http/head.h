/*
 * The head of a request, checked in one pass before llhttp sees a byte (llhttp 8.1 takes a line
 * feed alone, folded lines and two Hosts, and lets a bare CR smuggle a header past its callbacks).
 *
 * What always holds for a head that is HEAD_WHOLE: every line ends in CRLF and holds no other
 * control byte than tab; the request line is method, target and version with one space between;
 * each other line is a token, a colon and a value; HTTP/1.1 has exactly one valid Host, HTTP/1.0 at
 * most one; Content-Length and Transfer-Encoding are not both there, nor doubled, nor of odd form.
 *
 * Bytes are given as they come, and the outcome does not depend on how they were cut into pieces.
 * Names are turned to lower case in place; the strings point into the caller's bytes.
 */
#pragma once

#include "http/bounds.h"
#include "http/http.h"

enum head_result { HEAD_MORE, HEAD_WHOLE, HEAD_REFUSED };

struct head {
    size_t line;    /* offset of the line that is not whole yet */
    size_t scanned; /* no line feed between `line` and here */
    bool began;     /* the request line was there */
    bool skipped;   /* one empty line before it (RFC 9112 2.2) */

    struct http_request request;
    struct http_header headers[HTTP_HEADERS_MAX];
    size_t headers_at; /* offset of the first header line */
    size_t hosts;
    size_t content_lengths;
    size_t transfer_encodings;
    bool wants_close, wants_kept; /* Connection says so */

    /* when HEAD_WHOLE */
    size_t size;            /* bytes, with the empty line */
    int64_t content_length; /* -1: none */
    bool chunked;
    bool expects_continue;

    /* when HEAD_REFUSED */
    int status;
    const char *why;
};

void head_init(struct head *h);

/* p[0..n) is all of the head that has come, and perhaps more: at each call the same p, or the same
 * bytes moved and the head initialised anew. A refusal keeps what was read before it. */
enum head_result head_take(struct head *h, char *p, size_t n);
