/* See row_values.h. */
#include "store/row_values.h"

void row_values_bind(struct query *q, const struct row_values *values)
{
    query_str(q, values->ticker);
    query_str(q, values->asset_name);
    query_str(q, asset_type_name(values->asset_type));
    query_str(q, side_name(values->side));
    query_str(q, bracket_key(values->bracket));
    query_opt_i64(q, values->trade_date, DAY_NONE);
    query_str(q, owner_name(values->owner));
    query_str(q, str_is_null(values->details) ? STR("") : values->details);
}

struct row_values row_values_read(const struct query *q, int first)
{
    struct row_values values = {
        .ticker = query_get_str(q, first),
        .asset_name = query_get_str(q, first + 1),
        .asset_type = asset_type_from_name(query_get_str(q, first + 2)),
        .side = side_from_name(query_get_str(q, first + 3)),
        .bracket = bracket_from_key(query_get_str(q, first + 4)),
        .trade_date = (int32_t)query_get_opt_i64(q, first + 5, DAY_NONE),
        .owner = owner_from_name(query_get_str(q, first + 6)),
        .details = query_get_str(q, first + 7),
    };
    if (values.details.n == 0)
        values.details = STR_NULL;
    return values;
}
