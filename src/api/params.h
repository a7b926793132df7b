/*
 * The query parameters of an operation: the filters of its list, and the parameters of a page
 * (limit, cursor, format, fields, group_by, sort, order, after). Reading is strict (decision 17):
 * for an unknown, repeated, empty or invalid parameter the hint names it and the accepted values.
 */
#pragma once

#include "edge/errors.h"
#include "noun/param.h"
#include "rule/cursor.h"
#include "rule/query.h"

/* The parameters of a page. */
enum page_param {
    PAGE_PARAM_LIMIT,
    PAGE_PARAM_CURSOR,
    PAGE_PARAM_FORMAT,
    PAGE_PARAM_FIELDS,
    PAGE_PARAM_GROUP_BY,
    PAGE_PARAM_SORT,
    PAGE_PARAM_ORDER,
    /* Of one operation each, so that the reference has them there: */
    PAGE_PARAM_TRADE_SORT, /* `sort` of trades */
    PAGE_PARAM_ROWS,       /* `format` of an export */
    PAGE_PARAM_AFTER,
    PAGE_PARAM_COUNT
};

enum { PARAM_FORMAT_JSON = 1, PARAM_FORMAT_CSV = 2 };
enum { PARAM_ROWS_CSV = 1, PARAM_ROWS_JSONL = 2 };

/* The parameters of an operation. All zero: none. */
struct param_set {
    const struct param_table *filters; /* NULL: none */
    bool paged;                        /* limit and cursor */
    bool csv;                          /* format */
    bool fields;                       /* fields */
    bool grouped;                      /* group_by, sort, order */
    bool sorted;                       /* sort and order of trades */
    bool exported;                     /* format and after of an export */
};

/* The i-th parameter of the set, filters first. NULL: after the last. */
const struct param *param_set_at(const struct param_set *set, size_t i);

const struct param *page_param_info(enum page_param id);

struct param_values {
    struct param_value filters[PARAM_TABLE_MAX]; /* indexed like the table; null text: absent */
    struct param_value page[PAGE_PARAM_COUNT];   /* if absent, number is the default */
    struct cursor cursor;                        /* set if page[PAGE_PARAM_CURSOR] is present */
};

struct param_refusal {
    enum error_code error;
    struct str hint; /* in the arena; null: the default of the error */
};

/* Reads the parameters of the set from the pairs of a query string. `verdict` comes from
 * query_read. Texts point into the pairs or the arena. False: a parameter is invalid. */
bool params_read(
    const struct param_set *set, enum cursor_resource resource, const struct query_pairs *pairs,
    enum query_verdict verdict, struct arena *arena, struct param_values *ret_values,
    struct param_refusal *ret_refusal);

/* How many orders of trades come before the one that is asked for (feed/feed.h). */
int params_order(const struct param_values *values);

/* True if any pair is format=csv. Called before the parameters are checked (decision 19). */
bool params_want_csv(const struct query_pairs *pairs);
