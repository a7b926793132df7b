/* Phrases of the tables as sentences, and as lines of a width. */
#pragma once

#include "base/buf.h"

/* "show the drafts" as "Show the drafts.", and the notes after it; notes may be NULL. */
void text_sentences(struct buf *to, const char *phrase, const char *notes);

/* Lines of at most so many columns, prefix included, each with the prefix before it. */
void text_wrap(struct buf *to, const char *prefix, size_t columns, struct str text);

/* The name of a setting in the file of settings: "trusted-proxies" as "trusted_proxies". */
void text_key(struct buf *to, const char *flag_name);
