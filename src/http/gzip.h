/*
 * gzip of whole bodies. The same input gives the same output, in every thread and on every node
 * whose processor has SSE4.2 (mtime 0, no name; ADR 11). The deflate state is per thread.
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

/* The same at fifty times the cost and four fifths of the size, for texts that are compressed once,
 * at the start. */
bool gzip_put_small(struct buf *b, struct str body);
