/* Reads the query of a page with a list; see list_query.h. */
#include "site/data/list_query.h"

#include "site/data/list_committee.h"
#include "site/data/list_member.h"
#include "site/data/list_party.h"
#include "site/frame/page_query.h"
#include "site/frame/trade_words.h"

static const char CURSOR[] = "cursor";

/* --- values */

static void fault_value(struct form *form, const struct param *param, const char *name)
{
    BUF_SCOPED(b, 1024);
    buf_text(&b, "This must be ");
    param_accepts(&b, param);
    buf_char(&b, '.');
    form_fault_text(form, name, "%.*s", STR_ARG(buf_view(&b)));
}

static void read_filter(
    struct page_call *call, const struct param *param, size_t index, struct list_query *query)
{
    const char *name = param->name.p;
    struct form *form = call->query_form;
    struct str text = form_value(form, name);
    if (str_is_null(text))
        return;
    query->given[query->given_count++] = (struct link_param){param->name, text};
    if (param->type == PARAM_TYPE_SLUG && !list_member_check(call, name, text))
        return;
    if (!param_parse(param, text, call->arena, &query->values[index]))
        fault_value(form, param, name);
    else
        query->is_given[index] =
            param->type != PARAM_TYPE_PARTY || list_party_check(call, name, &query->values[index]);
}

/* An invalid value of either end has its own fault. */
static void check_ranges(
    struct form *form, const struct param_table *params, const struct list_query *query)
{
    struct param_value given[PARAM_TABLE_MAX];
    for (size_t i = 0; i < params->count; i++)
        given[i] = query->is_given[i] ? query->values[i] : (struct param_value){STR_NULL, 0};
    const struct param *end = param_backward(params, given);
    if (end)
        form_fault_text(form, end->name.p, "This must not be before the start of the range.");
}

void list_query_damaged(struct form *form)
{
    form_fault_text(
        form, NULL,
        "The cursor in this address is invalid. Go back to the first page of the list.");
}

static void read_cursor(struct form *form, enum cursor_resource resource, struct list_query *query)
{
    struct str text = form_value(form, CURSOR);
    query->has_cursor = !str_is_null(text);
    if (query->has_cursor && !cursor_decode(text, resource, &query->cursor))
        list_query_damaged(form);
}

/* --- the form */

static void show_choice(struct page_call *call, const struct param *param)
{
    struct form_option *options =
        ARENA_ARRAY(call->arena, struct form_option, (size_t)param->list->count);
    size_t count = 0;
    options[count++] = (struct form_option){STR(""), STR("Any")};
    for (int value = 1; value < param->list->count; value++)
        options[count++] = (struct form_option){
            param->list->name_of(value), words_choice(param->list, value, call->arena)};
    form_show_choice(call->view, call->query_form, param->name.p, STR(""), options, count);
}

/* A midnight in Washington as its day, which the field takes too. */
static void show_instant(struct page_call *call, const struct param *param)
{
    char day[DAY_TEXT_SIZE];
    int64_t at;
    struct str given = form_value(call->query_form, param->name.p);
    struct view *field = view_member(view_member(call->view, "fields"), param->name.p);
    bool midnight =
        instant_parse(given, &at) && at == instant_from_new_york(instant_day_new_york(at), 0);
    if (midnight) {
        day_print(instant_day_new_york(at), day);
        view_str(field, "value", str_of(day, sizeof day));
    }
    view_bool(field, "isDay", midnight || str_is_null(given));
}

static void show(struct page_call *call, struct str path, const struct param_table *params)
{
    for (size_t i = 0; i < params->count; i++) {
        const struct param *param = param_table_at(params, i);
        if (param->type == PARAM_TYPE_LISTED)
            show_choice(call, param);
        else if (param->type == PARAM_TYPE_COMMITTEE)
            list_committee_show(call, param->name.p);
        else
            form_show(call->view, call->query_form, param->name.p, STR(""));
        if (param->type == PARAM_TYPE_INSTANT)
            show_instant(call, param);
        if (param->type == PARAM_TYPE_SLUG)
            list_member_offer(call, path, param->name.p);
    }
}

/* A day is its begin in Washington. */
static struct str settle_instant(struct page_call *call, struct str value)
{
    char text[INSTANT_TEXT_SIZE];
    int32_t day;
    if (!day_parse(value, &day))
        return value;
    instant_print(instant_from_new_york(day, 0), text);
    return arena_str(call->arena, str_of(text, sizeof text));
}

static struct str (*const settles[PARAM_TYPE_COUNT])(struct page_call *call, struct str value) = {
    [PARAM_TYPE_SLUG] = list_member_settle,
    [PARAM_TYPE_INSTANT] = settle_instant,
};

static struct form *read_form(
    struct page_call *call, struct str path, const struct param_table *params)
{
    struct page_query_name names[PARAM_TABLE_MAX + 1];
    size_t count = params->count;
    for (size_t i = 0; i < count; i++) {
        const struct param *param = param_table_at(params, i);
        names[i] = (struct page_query_name){param->name.p, param->alias.p, settles[param->type]};
    }
    names[count] = (struct page_query_name){CURSOR, NULL, NULL};
    return page_query_form(call, path, names, count + 1);
}

bool list_query_read(
    struct page_call *call, struct str path, const struct param_table *params,
    enum cursor_resource resource, struct list_query *ret)
{
    struct form *form = read_form(call, path, params);
    *ret = (struct list_query){0};
    if (!form)
        return false;
    for (size_t i = 0; i < params->count; i++)
        read_filter(call, param_table_at(params, i), i, ret);
    check_ranges(form, params, ret);
    read_cursor(form, resource, ret);
    show(call, path, params);
    view_bool(call->view, "filtered", ret->given_count > 0);
    return !form_is_faulty(form);
}
