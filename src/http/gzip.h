/*
 * gzip of whole bodies. The same bytes in give the same bytes out, in every thread and on every
 * node whose processor has SSE4.2 (mtime 0, no name; ADR 11). The deflate state is kept per thread.
 *
 * Half of what it costs is working out the codes that fit the text. Texts of one kind can share
 * codes that were made from a sample of the kind.
 */
#pragma once

#include "base/buf.h"

enum { GZIP_BODY_MIN = 1024 }; /* decision 28: smaller bodies are not compressed */

struct gzip_codes; /* constant once made: any thread */

struct gzip_codes *gzip_codes_create(struct str sample);
void gzip_codes_destroy(struct gzip_codes *codes); /* NULL is fine */

/* Appends the compressed form; false when it may pass the buffer's maximum. `codes`: those of the
 * body's kind; NULL: worked out for this body. */
bool gzip_put(struct buf *b, struct str body, const struct gzip_codes *codes);
