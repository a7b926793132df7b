/*
 * Converts the project's Markdown to HTML, with md4c as the parser: headings, optionally with
 * {#anchor}, lists, fenced code, tables, notes (> ), `code`, **strong**, *emphasis* and
 * [links](to). Everything else is escaped text.
 */
#pragma once

#include "base/buf.h"

/* Appends HTML to b, and a nested list of links to the headings of levels 2 and 3 to contents. */
void markdown_html(struct buf *b, struct buf *contents, struct str markdown);

/* Appends escaped text, for content or a double-quoted attribute. Hidden characters are shown
 * (base/hidden.h). */
void html_text(struct buf *b, struct str text);
