/*
 * Text as HTML, for content and for quoted attributes. The result is well-formed UTF-8 without a
 * hidden character (base/hidden.h).
 */
#pragma once

#include "base/buf.h"

/* Hidden characters and bytes that are not UTF-8 are shown as \u{202E} and \x{9B}. */
void escape_text(struct buf *b, struct str text);

/* Hidden characters become references such as &#x202E;, so that a browser posts the same text
 * again. A byte that is not UTF-8 becomes U+FFFD. */
void escape_typed(struct buf *b, struct str text);
