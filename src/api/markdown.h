/*
 * As much Markdown as our own texts use, to HTML: headings, with {#anchor} where the one made of
 * their text will not do, paragraphs, lists of one level, fenced code, tables, notes (> ), and in a
 * line `code`, **strong** and [links](to). Everything else is text. Input is ours and trusted to be
 * well formed, but is escaped all the same: no text becomes markup.
 */
#pragma once

#include "base/buf.h"

void markdown_html(struct buf *b, struct str markdown);

/* The headings of levels 2 and 3 as a nested list of links. */
void markdown_contents(struct buf *b, struct str markdown);

/* Text in HTML, outside or inside a double-quoted attribute. */
void html_text(struct buf *b, struct str text);
