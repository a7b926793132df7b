/* The query of corrections; see corrections_query.h. */
#include "site/data/corrections_query.h"

#include "noun/lists.h"
#include "site/frame/page_query.h"

enum { FIELD_POLITICIAN, FIELD_KIND, FIELD_TICKER, FIELD_TRADE, FIELD_FILING };

/* As in the API. */
static const struct param fields[] = {
    [FIELD_POLITICIAN] =
        {.name = STR_INIT("politician_slug"),
         .alias = STR_INIT("politician"),
         .type = PARAM_TYPE_SLUG},
    [FIELD_KIND] =
        {.name = STR_INIT("kind"), .type = PARAM_TYPE_LISTED, .list = &shape_correction_kinds},
    [FIELD_TICKER] = {.name = STR_INIT("ticker"), .type = PARAM_TYPE_TICKER},
    [FIELD_TRADE] =
        {.name = STR_INIT("trade_id"),
         .type = PARAM_TYPE_ID,
         .example = STR_INIT("house-20026590-0003")},
    [FIELD_FILING] =
        {.name = STR_INIT("filing"), .type = PARAM_TYPE_ID, .example = STR_INIT("house-20026590")},
};

static const struct param_table params = PARAM_TABLE(fields);

/* Sets the position; an id of another form is after everything. */
static void set_after(const struct cursor *cursor, struct correction_range *range)
{
    int64_t no = 0;
    struct str id = cursor_id(cursor), prefix = STR("correction-");
    if (str_starts(id, prefix))
        (void)str_to_i64(str_slice(id, prefix.n, id.n), &no);
    range->before_at = cursor->at_ms;
    range->before_no = no;
}

bool corrections_query_read(
    struct page_call *call, struct str path, struct list_query *ret,
    struct correction_range *ret_range)
{
    bool valid = list_query_read(call, path, &params, CURSOR_CORRECTIONS, ret);
    const struct param_value *values = ret->values;
    *ret_range = CORRECTION_RANGE_ALL;
    if (ret->is_given[FIELD_POLITICIAN])
        ret_range->politician = values[FIELD_POLITICIAN].text;
    if (ret->is_given[FIELD_KIND])
        ret_range->kind = (enum correction_kind)values[FIELD_KIND].number;
    if (ret->is_given[FIELD_TICKER])
        ret_range->ticker = values[FIELD_TICKER].text;
    if (ret->is_given[FIELD_TRADE])
        ret_range->trade_id = values[FIELD_TRADE].text;
    if (ret->is_given[FIELD_FILING])
        ret_range->filing_id = values[FIELD_FILING].text;
    if (valid && ret->has_cursor)
        set_after(&ret->cursor, ret_range);
    return valid;
}

struct str corrections_next(struct arena *arena, const struct correction_list *list)
{
    if (!list->more)
        return STR_NULL;
    struct cursor cursor =
        cursor_at(CURSOR_CORRECTIONS, list->last_at, correction_id(arena, list->last_no));
    return page_cursor_text(arena, &cursor);
}
