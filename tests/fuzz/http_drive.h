/*
 * Runs the parsers of the HTTP edge without a connection: takes a stream of bytes in pieces and
 * returns the requests in it. Used by the fuzz target and by the unit tests.
 */
#pragma once

#include "base/buf.h"

/* The length of the next piece (at least 1), given the number of bytes left. */
typedef size_t http_drive_piece(void *ctx, size_t left);

/* Appends to `outcome` the statuses that the replies would have, as in malformed/corpus.h, and
 * to `details` everything that the application would see. */
void http_drive(
    struct str bytes, http_drive_piece *piece, void *ctx, struct buf *outcome, struct buf *details);
