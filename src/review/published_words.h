/* The result of a publication in words. */
#pragma once

#include "review/publish_draft.h"

/* "2 trades added, 1 row held back", or "nothing new"; in the arena. */
struct str published_words(const struct publish_draft_result *result, struct arena *arena);
