/* Patterns for LIKE ... ESCAPE '\'. Private to src/store. */
#pragma once

#include "base/mem.h"

/* "%ada%vale%": the words, or parts of words, in this order; no character of theirs is special. */
struct str like_words(struct str words, struct arena *arena);
