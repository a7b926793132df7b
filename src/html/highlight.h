/* Colours for examples of code, made on the server: spans of the classes that web/docs.css has. */
#pragma once

#include "base/buf.h"

/* Appends `code`, escaped HTML as md4c writes it, with <span class="k">: keys of JSON and keywords;
 * "s": strings; "v": numbers and literals; "c": comments. A language that is not known stays plain.
 * Every '<' in `code` begins a tag of ours or none; no character of it is lost or added. */
void highlight_put(struct buf *b, struct str language, struct str code);
