/* Rows of drafts on paper; see paper_row.h. */
#include "review/paper_row.h"

bool row_is_of_paper(const struct draft_row_stored *row)
{
    return !str_is_null(row->sources) || str_is_null(row->printed);
}

bool row_date_is_entered(const struct draft_row_stored *row, struct arena *arena)
{
    struct cell_source sources[CELL_COUNT];
    return cell_sources_read(row->sources, arena, sources) &&
           sources[CELL_DATE].how == CELL_ENTERED;
}
