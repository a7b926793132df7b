/* Reads the columns of a trade; see trade_columns.h. */
#include "store/trade_columns.h"

void trade_columns_read(const struct query *q, int at, struct trade *t)
{
    t->id = query_get_str(q, at);
    t->disclosed_at = query_get_i64(q, at + 1);
    t->values = row_values_read(q, at + 2);
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
