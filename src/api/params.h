/*
 * The query parameters of an operation: the filters of its list, and the parameters of a page
 * (limit, cursor, format). Reading is strict (decision 17): an unknown, repeated, empty or wrong
 * parameter is refused with a hint that names it and says what is accepted.
 */
#pragma once

#include "api/errors.h"
#include "core/cursor.h"
#include "core/query.h"
#include "shape/param.h"

/* The parameters of a page. */
enum page_param { PAGE_PARAM_LIMIT, PAGE_PARAM_CURSOR, PAGE_PARAM_FORMAT, PAGE_PARAM_COUNT };

enum { PARAM_FORMAT_JSON = 1, PARAM_FORMAT_CSV = 2 };

/* What an operation takes. Zeroed: nothing. */
struct param_set {
    const struct param_table *filters; /* NULL: none */
    bool paged;                        /* limit and cursor */
    bool csv;                          /* format */
};

/* The parameters of the set one after the other, filters first; NULL behind the last. */
const struct param *param_set_at(const struct param_set *set, size_t i);

const struct param *page_param_info(enum page_param id);

struct param_values {
    struct param_value filters[PARAM_TABLE_MAX]; /* by place in the table; text null: absent */
    struct param_value page[PAGE_PARAM_COUNT];   /* absent ones have their defaults as number */
    struct cursor cursor;                        /* if page[PAGE_PARAM_CURSOR] is not absent */
};

struct param_refusal {
    enum error_code error;
    struct str hint; /* in the arena; null: the table's */
};

/* Reads the parameters of the set from the pairs of a query string. `verdict` is query_read's.
 * Texts live as long as the pairs or the arena. false: refused. */
bool params_read(
    const struct param_set *set, enum cursor_resource resource, const struct query_pairs *pairs,
    enum query_verdict verdict, struct arena *arena, struct param_values *ret_values,
    struct param_refusal *ret_refusal);

/* Whether any pair asks for CSV. Asked before parameters are checked (decision 19). */
bool params_want_csv(const struct query_pairs *pairs);
