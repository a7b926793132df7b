/*
 * Our own texts in Markdown to HTML, parsed by md4c: headings, with {#anchor} where the one made of
 * their text will not do, lists, fenced code, tables, notes (> ), and in a line `code`, **strong**,
 * *emphasis* and [links](to). Everything else is text and is escaped: no text becomes markup.
 */
#pragma once

#include "base/buf.h"

/* Appends the text to b, and the headings of levels 2 and 3 as a nested list of links to contents.
 */
void markdown_html(struct buf *b, struct buf *contents, struct str markdown);

/* Text in HTML, outside or inside a double-quoted attribute. */
void html_text(struct buf *b, struct str text);
