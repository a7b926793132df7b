/*
 * The reference of the API as Markdown: web/reference.md, with tables and examples generated from
 * the tables of the code. /llms-full.txt is this text, /docs has it as HTML, and the description in
 * openapi.json is a part of it.
 *
 * A line {{name argument}} is a directive, replaced by a generated block. {{base_url}},
 * {{anonymous_minute}}, {{indexed_filters}} and {{scanned_filters}} within a line
 * are replaced by values. Unknown names fail an assertion.
 */
#pragma once

#include "base/buf.h"

/* Appends `text` with its directives expanded. */
void reference_expand(struct buf *b, struct str text, struct str base_url);

/* Returns the text from after the heading "## ... {#anchor}" to the next heading of level 2. Null:
 * there is no such heading. */
struct str reference_section(struct str text, struct str anchor);

/* Appends Markdown without the {#anchor} of its headings, and without the samples of samples.h in
 * other languages. */
void reference_plain(struct buf *b, struct str text);

/* Indents JSON for the docs. The input must be well formed. */

void json_indent(struct buf *b, struct str json);
