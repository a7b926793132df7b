/*
 * Our own documentation as HTML, by md4c-html: headings, optionally with {#anchor}, lists, fenced
 * code, tables, notes (> ), `code`, **strong**, *emphasis* and [links](to). Everything else is
 * escaped text. Hidden characters are shown (base/hidden.h).
 *
 * Headings below the title get an anchor, code and tables get the elements that web/site.css
 * styles and a keyboard can scroll.
 */
#pragma once

#include "base/buf.h"

/* Appends HTML to b, and a nested list of links to the headings of levels 2 and 3 to contents. */
void markdown_html(struct buf *b, struct buf *contents, struct str markdown);

/* Colours for examples of code, made on the server: spans of the classes that web/docs.css has. */

/* Appends `code`, escaped HTML as md4c writes it, with <span class="k">: keys of JSON and keywords;
 * "s": strings; "v": numbers and literals; "c": comments. A language that is not known stays plain.
 * Every '<' in `code` begins a tag of ours or none; no character of it is lost or added. */
void highlight_put(struct buf *b, struct str language, struct str code);
