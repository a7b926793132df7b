/*
 * gzip of whole bodies. With given codes, the same input gives the same output, in every thread and
 * on every node whose processor has SSE4.2 (mtime 0, no name; ADR 11). Fitted codes do so too but
 * for a byte, rarely: they depend on the address of ISA-L's state at one address of some thousand.
 * The deflate state is per thread.
 *
 * Half of the cost is computing the codes for a text. Texts of one kind can share codes made from a
 * sample of that kind.
 */
#pragma once

#include "base/buf.h"

enum { GZIP_BODY_MIN = 1024 }; /* decision 28: smaller bodies are not compressed */

struct gzip_codes; /* immutable: any thread may use it */

struct gzip_codes *gzip_codes_create(struct str sample);
void gzip_codes_destroy(struct gzip_codes *codes); /* NULL is ignored */

/* Appends the compressed form; false if it may exceed the buffer's maximum. `codes`: of the body's
 * kind; NULL: computed for this body. */
bool gzip_put(struct buf *b, struct str body, const struct gzip_codes *codes);

/* The same by zlib, four fifths of the size: at fifty times the cost for texts that are compressed
 * once, or at five to ten times the cost for large pages. */
enum gzip_effort { GZIP_LARGE_PAGE = 6, GZIP_ONCE = 9 };
bool gzip_put_small(struct buf *b, struct str body, enum gzip_effort effort);

/* A body in pieces, compressed as fast as zlib can. */
struct gzip_stream;
struct gzip_stream *gzip_stream_create(void);
void gzip_stream_destroy(struct gzip_stream *stream); /* NULL is ignored */
/* Appends what is compressed of the body so far; all of it with the `last` piece. */
void gzip_stream_put(struct gzip_stream *stream, struct str piece, bool last, struct buf *b);
