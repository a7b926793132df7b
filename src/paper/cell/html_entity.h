/*
 * The named character references of HTML 4 for Latin-1 and for typographic marks, as text.
 */
#pragma once

#include "base/str.h"

enum { HTML_ENTITY_NAME_MAX = 8 };

/* The text of "amp" or "eacute", in UTF-8; names are case-sensitive. Null: not in the table. */
struct str html_entity_text(struct str name);
