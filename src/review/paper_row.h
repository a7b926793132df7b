/* Rows of drafts on paper: of scans, or entered by hand. */
#pragma once

#include "paper/cell/cell_source.h"
#include "store/desk/draft_row.h"

/* A row of a scan, or one that a person has added. */
bool row_is_of_paper(const struct draft_row_stored *row);

/* Whether a person has set the trade date of a row of a scan, perhaps to none. */
bool row_date_is_entered(const struct draft_row_stored *row, struct arena *arena);
