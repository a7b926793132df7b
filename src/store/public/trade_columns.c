/* Reads the columns of a trade; see trade_columns.h. */
#include "store/public/trade_columns.h"

#include <assert.h>

enum { FILING = 2 + ROW_VALUES_COLUMN_COUNT, PUBLICATION, WITHDRAWN };

static_assert((int)WITHDRAWN + 2 == (int)ROW_DIGEST_TRADE_COUNT, "the columns are those covered");

void trade_columns_read(
    const struct query *q, int at, struct trade *t, struct trade_others *ret_others)
{
    struct row_cell cells[ROW_CELLS_MAX];
    uint8_t digest[SHA256_SIZE];
    row_cells_read(q, at, ROW_DIGEST_TRADE, cells);
    row_cells_digest(cells, ROW_DIGEST_TRADE, digest);
    t->id = cells[0].text;
    t->disclosed_at = row_cell_number(&cells[1], 0);
    t->values = row_values_of(cells + 2);
    *ret_others = (struct trade_others){
        .filing_no = row_cell_number(&cells[FILING], 0),
        .publication_no = row_cell_number(&cells[PUBLICATION], 0),
        .withdrawn_at = row_cell_number(&cells[WITHDRAWN], INSTANT_NONE),
        .damaged = !row_digest_equals(q, at + ROW_DIGEST_TRADE_COUNT, digest),
    };
}

void trade_columns_read_filing(const struct query *q, int at, struct trade *t)
{
    t->filing_url = query_get_str(q, at);
    t->politician = (struct politician_ref){
        .chamber = chamber_from_name(query_get_str(q, at + 1)),
        .party = query_get_str(q, at + 2),
        .state = query_get_str(q, at + 3),
        .slug = query_get_str(q, at + 4),
        .name = query_get_str(q, at + 5),
    };
}
