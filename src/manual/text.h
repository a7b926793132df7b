/* Formats phrases of the tables as sentences and wrapped lines. */
#pragma once

#include "base/buf.h"

/* "show the drafts" becomes "Show the drafts.", followed by the notes; notes may be NULL. */
void text_sentences(struct buf *to, const char *phrase, const char *notes);

/* Wraps to this many columns, including the prefix before each line. */
void text_wrap(struct buf *to, const char *prefix, size_t columns, struct str text);

/* The name of a setting in the settings file: "trusted-proxies" becomes "trusted_proxies". */
void text_key(struct buf *to, const char *flag_name);
