/* See row_values.h. */
#include "store/row/row_values.h"

#include "db/bulk.h"
#include "db/row_digest.h"

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

void row_values_put(struct bulk *bulk, const struct row_values *values)
{
    bulk_str(bulk, values->ticker);
    bulk_str(bulk, values->asset_name);
    bulk_str(bulk, asset_type_name(values->asset_type));
    bulk_str(bulk, side_name(values->side));
    bulk_str(bulk, bracket_key(values->bracket));
    bulk_opt_i64(bulk, values->trade_date, DAY_NONE);
    bulk_str(bulk, owner_name(values->owner));
    bulk_str(bulk, str_is_null(values->details) ? STR("") : values->details);
}

struct row_values row_values_of(const struct row_cell *cells)
{
    struct row_values values = {
        .ticker = cells[0].text,
        .asset_name = cells[1].text,
        .asset_type = asset_type_from_name(cells[2].text),
        .side = side_from_name(cells[3].text),
        .bracket = bracket_from_key(cells[4].text),
        .trade_date = (int32_t)row_cell_number(&cells[5], DAY_NONE),
        .owner = owner_from_name(cells[6].text),
        .details = cells[7].text,
    };
    if (values.details.n == 0)
        values.details = STR_NULL;
    return values;
}

void cap_gains_bind(struct query *q, enum cap_gains gains)
{
    query_opt_i64(q, (int)gains - CAP_GAINS_NO, -1);
}

enum cap_gains cap_gains_read(const struct query *q, int column)
{
    int64_t checked = query_get_opt_i64(q, column, -1);
    return checked == 0 ? CAP_GAINS_NO : checked == 1 ? CAP_GAINS_YES : CAP_GAINS_NONE;
}

struct row_values row_values_read(const struct query *q, int first)
{
    enum { TRADE_DAY = 5 };
    struct row_cell cells[ROW_VALUES_COLUMN_COUNT];
    for (int i = 0; i < ROW_VALUES_COLUMN_COUNT; i++)
        cells[i] = i == TRADE_DAY && !query_is_null(q, first + i)
                       ? (struct row_cell){STR(""), query_get_i64(q, first + i)}
                       : (struct row_cell){query_get_str(q, first + i), 0};
    return row_values_of(cells);
}
