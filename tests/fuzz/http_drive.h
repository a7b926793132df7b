/*
 * The parsers of the HTTP edge without a connection: a stream of bytes, given in pieces, to what
 * the requests in it are. Used by the fuzz target and by the unit tests.
 */
#pragma once

#include "base/buf.h"

/* How long the next piece is (at least 1), given how many bytes are left. */
typedef size_t http_drive_piece(void *ctx, size_t left);

/* Appends to `outcome` the statuses that the replies would have, as in malformed/corpus.h, and
 * to `details` everything the application would see. */
void http_drive(
    struct str bytes, http_drive_piece *piece, void *ctx, struct buf *outcome, struct buf *details);
