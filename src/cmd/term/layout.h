/*
 * Text in the columns of a terminal: how wide it is, and where to break it. Works on any bytes; the
 * width is a good guess, and a wrong guess costs alignment, never text.
 */
#pragma once

#include "base/buf.h"

/* Columns of a text without escape sequences: 2 for a wide character, 0 for a combining one. */
size_t layout_columns(struct str text);

/* Cuts the next line of at most `columns` from *rest. It breaks at blanks, which it drops; a word
 * that is longer is a line of its own, so that an id or a URL can be copied whole. False: *rest is
 * null (used up). */
bool layout_next_line(struct str *rest, size_t columns, struct str *ret_line);

/* Appends `count` spaces. */
void layout_spaces(struct buf *to, size_t count);

/* Appends the text in lines of at most `columns`, each after `indent` spaces, with a line feed
 * after each. The first line continues a line that is `at` columns long: it gets the spaces up to
 * the indent, or begins on a line of its own if there are none left. */
void layout_wrap(struct buf *to, struct str text, size_t at, size_t indent, size_t columns);
