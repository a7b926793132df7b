/* Writes a politician's profile (decision 9), which is the same alone and in the list. */
#pragma once

#include "base/buf.h"
#include "feed/feed.h"

void profile_put(struct buf *b, const struct feed_politician *p);
