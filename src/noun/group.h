/*
 * Groups of trades: what they can be made by, and what each is summed to. The API, its description
 * and CSV read both tables; to add a dimension or a column, add a row.
 */
#pragma once

#include "noun/field.h"
#include "rule/model.h"

/* In the order of the table. */
enum group_dimension {
    GROUP_NONE,
    GROUP_POLITICIAN,
    GROUP_TICKER,
    GROUP_PARTY,
    GROUP_CHAMBER,
    GROUP_STATE,
    GROUP_SECTOR,
    GROUP_SEAT,
    GROUP_SIDE,
    GROUP_OWNER,
    GROUP_BRACKET,
    GROUP_ASSET_TYPE,
    GROUP_LATE_STATUS,
    GROUP_MONTH,
    GROUP_YEAR,
    GROUP_FLAG_INDUSTRY,
    GROUP_FLAG_COMMITTEE,
    GROUP_DIMENSION_COUNT
};

enum { GROUP_BY_MAX = 2 };

extern const struct shape_list shape_group_dimensions;
const struct shape_field *group_dimension_field(enum group_dimension dimension);

/* Whether a trade can be in several groups. */
static inline bool group_overlaps(enum group_dimension dimension)
{
    return dimension == GROUP_FLAG_COMMITTEE || dimension == GROUP_SEAT;
}

struct group_columns {
    int64_t trades, buys, sells, exchanges;
    int64_t conflicts, conflicts_later, late, late_unknown;
    int64_t conflicts_a, conflicts_b, conflicts_c; /* by grade */
    int64_t amount_min, amount_max;                /* sums of bounds in dollars */
    int64_t amount_open;                           /* trades without an upper bound */
    int64_t people;
    int64_t median_days, p90_days;              /* -1: not known of any trade */
    int64_t days_known, days_in_30, days_in_45; /* of so many trades; /late alone shows them */
    int32_t first, last;                        /* days of trades; DAY_NONE */
};

/* The columns that groups can be sorted by: the first ones of the table. The rest is made for the
 * groups of one page. */
enum { GROUP_SORTS = 16 };
extern const struct shape_list shape_group_sorts;
int64_t group_sort_value(const struct group_columns *columns, int sort);

/* 1: descending, which is the default */
enum { GROUP_DESCENDING = 1, GROUP_ASCENDING, GROUP_ORDER_COUNT };
extern const struct shape_list shape_group_orders;

/* One value of a dimension. */
struct group_value {
    struct str text; /* null: the trades that have none; of a politician the slug */
    struct politician_ref politician; /* of GROUP_POLITICIAN */
};

struct trade_group {
    struct group_value values[GROUP_BY_MAX];
    struct group_columns columns;
};

extern const struct shape_object shape_group, shape_group_columns;

void group_json(
    struct buf *b, const struct trade_group *group,
    const enum group_dimension by[static GROUP_BY_MAX]);
/* Without the end of the line; `group` NULL: the header. */
void group_csv(
    struct buf *b, const struct trade_group *group,
    const enum group_dimension by[static GROUP_BY_MAX]);
