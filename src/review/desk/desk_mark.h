/* Detects that a draft changed since a reviewer saw it. */
#pragma once

#include "review/desk/desk.h"

enum { DESK_MARK_SIZE = 16 };

/* Writes the mark of what the reviewer sees: filing, rows, checks and the effect of publishing.
 * Equal drafts have equal marks. */
void desk_mark(const struct desk_view *view, char ret[static DESK_MARK_SIZE]);

/* The mark of one row. */
void desk_mark_row(const struct draft_row_stored *row, char ret[static DESK_MARK_SIZE]);
