/* The profile of a politician (decision 9), alone and as a row of a list. */
#pragma once

#include "base/json_out.h"
#include "feed/feed.h"

/* The members, without braces. */
void profile_put_members(struct json_out *j, const struct feed_politician *p);
