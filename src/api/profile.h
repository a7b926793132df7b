/* A politician's profile (decision 9), the same alone and in the list of all. */
#pragma once

#include "base/buf.h"
#include "feed/feed.h"

void profile_put(struct buf *b, const struct feed_politician *p);
