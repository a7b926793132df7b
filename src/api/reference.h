/*
 * The reference of the API as Markdown: the prose of web/reference.md with tables and examples put
 * in from the tables of the code. /llms-full.txt is this text, /docs is it as HTML, and the
 * description in openapi.json is a part of it.
 *
 * A line {{name argument}} is a directive: a block made by the code. Within a line {{base_url}},
 * {{anonymous_minute}} and {{examined_max}} are values. A name that is not known is a mistake in
 * the text (asserted).
 */
#pragma once

#include "base/buf.h"

/* Appends `text` with its directives carried out. */
void reference_expand(struct buf *b, struct str text, struct str base_url);

/* The part of a text from the heading "## ... {#anchor}" to the next such heading, without the
 * heading; null: there is none. */
struct str reference_section(struct str text, struct str anchor);

/* Appends Markdown without the {#anchor}s of its headings. */
void reference_plain(struct buf *b, struct str text);
