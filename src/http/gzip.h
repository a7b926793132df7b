/*
 * gzip of whole bodies. The same bytes in give the same bytes out, on every node (mtime 0, no name,
 * one level). The deflate state is kept per thread.
 */
#pragma once

#include "base/buf.h"

enum { GZIP_BODY_MIN = 1024 }; /* decision 28: smaller bodies are not compressed */

/* Appends the compressed form; false when it passes the buffer's maximum. */
bool gzip_put(struct buf *b, struct str body);
