/*
 * A request as code in several languages. All but the curl command are marked with "more" after the
 * language of the block: the pages show them as a choice, and texts leave them out.
 */
#pragma once

#include "base/buf.h"

/* Appends blocks of Markdown that send GET to `url`, with a key or without. */
void samples_put(struct buf *b, struct str url, bool keyed);

/* The same for a stream, without a key. */
void samples_stream_put(struct buf *b, struct str url);

/* Whether a line of Markdown begins a block that texts leave out. */
bool samples_is_more(struct str line);
