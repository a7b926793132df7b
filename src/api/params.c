/* Reads query parameters; see params.h. */
#include "api/params.h"

#include <assert.h>

#include "base/utf8.h"
#include "noun/group.h"
#include "noun/lists.h"
#include "rule/page.h"

enum { NAME_SHOWN_MAX = 64 };

static struct str format_of(int value)
{
    static const struct str names[] = {
        {NULL, 0}, [PARAM_FORMAT_JSON] = STR_INIT("json"), [PARAM_FORMAT_CSV] = STR_INIT("csv")};
    return names[value];
}

static const struct shape_list formats = {PARAM_FORMAT_CSV + 1, format_of};

static struct str rows_of(int value)
{
    return value == PARAM_ROWS_CSV ? STR("csv") : STR("jsonl");
}

static const struct shape_list row_formats = {PARAM_ROWS_JSONL + 1, rows_of};

static const struct param page_params[PAGE_PARAM_COUNT] = {
    PARAM(
        PAGE_PARAM_LIMIT, PARAM_TYPE_INTEGER, "limit",
        "Maximum number of rows on a page. It may change between pages.", "50", .min = 1,
        .max = PAGE_LIMIT_MAX, .absent = PAGE_LIMIT_DEFAULT, .absent_text = STR_INIT("25")),
    [PAGE_PARAM_CURSOR] =
        {
            .name = STR_INIT("cursor"),
            .type = PARAM_TYPE_CURSOR,
            .description = STR_INIT("The nextCursor of the previous page, unchanged. Keep the "
                                    "other parameters the same on all pages."),
        },
    PARAM(
        PAGE_PARAM_FORMAT, PARAM_TYPE_LISTED, "format",
        "csv returns the page as CSV, which the Pack and Den plans include.", "json",
        .list = &formats, .absent = PARAM_FORMAT_JSON, .absent_text = STR_INIT("json")),
    PARAM(
        PAGE_PARAM_FIELDS, PARAM_TYPE_SET, "fields",
        "Adds members to each Trade, and their columns to CSV. `details`: type, strike and expiry "
        "of an option, coupon and maturity of a bond, whatever else the filing states about what "
        "was traded, and whether the box for capital gains over $200 is checked. `dates`: when the "
        "trade was reported and first published here, when its report was due, and whether it was "
        "[late](#due). `details,dates` adds both. An extension; without it a Trade has no such "
        "member.",
        "details,dates", .list = &shape_fields),
    PARAM(
        PAGE_PARAM_GROUP_BY, PARAM_TYPE_SET, "group_by",
        "One or two dimensions to group by. Without it, only totals.", "year,party", .shows = true,
        .list = &shape_group_dimensions),
    PARAM(
        PAGE_PARAM_SORT, PARAM_TYPE_LISTED, "sort",
        "The column that groups are ordered by. Of groups with equal values, the one with the "
        "newest trade comes first.",
        "amountMin", .shows = true, .list = &shape_group_sorts, .absent = 1,
        .absent_text = STR_INIT("trades")),
    PARAM(
        PAGE_PARAM_ORDER, PARAM_TYPE_LISTED, "order",
        "desc: the largest value first. asc: the smallest.", "desc", .shows = true,
        .list = &shape_group_orders, .absent = GROUP_DESCENDING, .absent_text = STR_INIT("desc")),
    PARAM(
        PAGE_PARAM_TRADE_SORT, PARAM_TYPE_LISTED, "sort",
        "disclosed: by the time of disclosure. traded: by the day of the trade, those without a "
        "tradeDate last. Cursors of one order are invalid in another. There is no order by amount: "
        "amounts are ranges, which overlap.",
        "traded", .list = &shape_trade_sorts, .absent = SHAPE_SORT_DISCLOSED,
        .absent_text = STR_INIT("disclosed")),
    PARAM(
        PAGE_PARAM_ROWS, PARAM_TYPE_LISTED, "format",
        "csv: a header and a line for each trade. jsonl: a Trade as JSON on each line, with "
        "details and dates.",
        "jsonl", .list = &row_formats, .absent = PARAM_ROWS_CSV, .absent_text = STR_INIT("csv")),
    PARAM(
        PAGE_PARAM_AFTER, PARAM_TYPE_ID, "after",
        "The id of the last whole row that you have: the export goes on behind it.",
        "senate-5e1a0c9b-0f6d-4c57-9d0e-3f2b8a6c1d40-0002", .shows = true),
};

const struct param *page_param_info(enum page_param id)
{
    assert(id < PAGE_PARAM_COUNT);
    return &page_params[id];
}

static size_t filter_count(const struct param_set *set)
{
    return set->filters ? set->filters->count : 0;
}

static bool takes(const struct param_set *set, enum page_param id)
{
    switch (id) {
    case PAGE_PARAM_LIMIT:
    case PAGE_PARAM_CURSOR:
        return set->paged;
    case PAGE_PARAM_FORMAT:
        return set->csv;
    case PAGE_PARAM_FIELDS:
        return set->fields;
    case PAGE_PARAM_GROUP_BY:
    case PAGE_PARAM_SORT:
        return set->grouped;
    case PAGE_PARAM_ORDER:
        return set->grouped || set->sorted;
    case PAGE_PARAM_TRADE_SORT:
        return set->sorted;
    case PAGE_PARAM_ROWS:
    case PAGE_PARAM_AFTER:
        return set->exported;
    case PAGE_PARAM_COUNT:
        break;
    }
    return false;
}

const struct param *param_set_at(const struct param_set *set, size_t i)
{
    size_t at = filter_count(set);
    if (i < at)
        return param_table_at(set->filters, i);
    for (int id = 0; id < PAGE_PARAM_COUNT; id++)
        if (takes(set, (enum page_param)id) && at++ == i)
            return &page_params[id];
    return NULL;
}

/* --- errors: hints are built only here, so that valid requests do not pay for them */

static bool refuse(struct param_refusal *ret, struct str hint)
{
    *ret = (struct param_refusal){ERROR_INVALID_PARAMETER, hint};
    return false;
}

/* What other services call a key in the address. */
static bool names_key(struct str name)
{
    static const struct str names[] = {
        STR_INIT("api_key"),      STR_INIT("apikey"), STR_INIT("api-key"),  STR_INIT("key"),
        STR_INIT("access_token"), STR_INIT("token"),  STR_INIT("x-api-key")};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq_nocase(names[i], name))
            return true;
    return false;
}

static bool refuse_unknown(
    const struct param_set *set, struct str name, struct arena *arena, struct param_refusal *ret)
{
    const struct param *param;
    if (names_key(name))
        return refuse(
            ret, STR("A key is not read from the address, which logs keep: send the header "
                     "\"Authorization: Bearer <key>\"."));
    BUF_SCOPED(b, 1024);
    buf_fmt(
        &b, "\"%.*s\" is not a parameter of this endpoint; ",
        STR_ARG(utf8_cut(name, NAME_SHOWN_MAX)));
    for (size_t i = 0; (param = param_set_at(set, i)); i++)
        buf_fmt(&b, "%s%.*s", i ? ", " : "use one of ", STR_ARG(param->name));
    buf_text(&b, param_set_at(set, 0) ? "." : "it has no parameters.");
    struct str hint = arena_str(arena, buf_view(&b));
    return refuse(ret, hint);
}

static bool refuse_value(const struct param *p, struct arena *arena, struct param_refusal *ret)
{
    BUF_SCOPED(b, 1024);
    buf_fmt(&b, "\"%.*s\" must be ", STR_ARG(p->name));
    param_accepts(&b, p);
    buf_char(&b, '.');
    struct str hint = arena_str(arena, buf_view(&b));
    return refuse(ret, hint);
}

static bool refuse_again(const struct param *p, struct arena *arena, struct param_refusal *ret)
{
    struct str hint;
    if (str_is_null(p->alias))
        hint = arena_fmt(arena, "\"%.*s\" is given more than once.", STR_ARG(p->name));
    else
        hint = arena_fmt(
            arena, "\"%.*s\" is given more than once; \"%.*s\" is an alias of it.",
            STR_ARG(p->name), STR_ARG(p->alias));
    return refuse(ret, hint);
}

static bool has_name(const struct param *param, struct str name)
{
    return str_eq(param->name, name) || (!str_is_null(param->alias) && str_eq(param->alias, name));
}

/* The parameter with this name, and the place of its value. NULL: unknown. */
static const struct param *find(
    const struct param_set *set, struct str name, struct param_values *values,
    struct param_value **ret_value)
{
    size_t filters = filter_count(set);
    for (size_t i = 0; i < filters; i++) {
        *ret_value = &values->filters[i];
        if (has_name(param_table_at(set->filters, i), name))
            return param_table_at(set->filters, i);
    }
    for (int id = 0; id < PAGE_PARAM_COUNT; id++) {
        *ret_value = &values->page[id];
        if (takes(set, (enum page_param)id) && has_name(&page_params[id], name))
            return &page_params[id];
    }
    return NULL;
}

static void set_absent(const struct param_set *set, struct param_values *ret)
{
    size_t filters = filter_count(set);
    assert(filters <= PARAM_TABLE_MAX);
    for (size_t i = 0; i < filters; i++)
        ret->filters[i] = (struct param_value){STR_NULL, 0};
    for (size_t i = 0; i < PAGE_PARAM_COUNT; i++)
        ret->page[i] = (struct param_value){STR_NULL, page_params[i].absent};
}

static bool refuse_backward(const struct param *end, struct arena *arena, struct param_refusal *ret)
{
    return refuse(
        ret, arena_fmt(
                 arena, "\"%.*s\" must not be after \"%.*s\".", STR_ARG(end->begin),
                 STR_ARG(end->name)));
}

static bool refuse_query(enum query_verdict verdict, struct param_refusal *ret)
{
    if (verdict == QUERY_BAD_ESCAPE)
        return refuse(
            ret, STR("The query string has a % that is not followed by two hexadecimal digits."));
    return refuse(ret, STR("The query string has too many parameters."));
}

bool params_read(
    const struct param_set *set, enum cursor_resource resource, const struct query_pairs *pairs,
    enum query_verdict verdict, struct arena *arena, struct param_values *ret_values,
    struct param_refusal *ret_refusal)
{
    set_absent(set, ret_values);
    for (size_t i = 0; i < pairs->count; i++) {
        struct str name = pairs->pairs[i].name, text = pairs->pairs[i].value;
        struct param_value *value;
        const struct param *p = find(set, name, ret_values, &value);
        if (!p)
            return refuse_unknown(set, name, arena, ret_refusal);
        if (!str_is_null(value->text))
            return refuse_again(p, arena, ret_refusal);
        if (p->type == PARAM_TYPE_CURSOR)
            value->text = str_is_null(text) ? STR("") : text;
        else if (!param_parse(p, text, arena, value))
            return refuse_value(p, arena, ret_refusal);
    }
    if (verdict != QUERY_OK)
        return refuse_query(verdict, ret_refusal);
    struct str cursor = ret_values->page[PAGE_PARAM_CURSOR].text;
    int order = set->sorted ? params_order(ret_values) : 0;
    if (order)
        resource = (enum cursor_resource)(CURSOR_TRADES_SORTED + order - 1);
    if (!str_is_null(cursor) && !cursor_decode(cursor, resource, &ret_values->cursor)) {
        *ret_refusal = (struct param_refusal){ERROR_INVALID_CURSOR, STR_NULL};
        return false;
    }
    const struct param *backward =
        set->filters ? param_backward(set->filters, ret_values->filters) : NULL;
    return !backward || refuse_backward(backward, arena, ret_refusal);
}

int params_order(const struct param_values *values)
{
    bool traded = values->page[PAGE_PARAM_TRADE_SORT].number == SHAPE_SORT_TRADED;
    bool ascends = values->page[PAGE_PARAM_ORDER].number == GROUP_ASCENDING;
    return 2 * traded + ascends;
}

bool params_want_csv(const struct query_pairs *pairs)
{
    for (size_t i = 0; i < pairs->count; i++)
        if (str_eq(pairs->pairs[i].name, page_params[PAGE_PARAM_FORMAT].name) &&
            str_eq_nocase(pairs->pairs[i].value, format_of(PARAM_FORMAT_CSV)))
            return true;
    return false;
}
