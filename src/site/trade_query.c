/* Reads the query of a page of trades; see trade_query.h. */
#include "site/trade_query.h"

#include "feed/trade_filter.h"
#include "shape/lists.h"
#include "site/page_query.h"
#include "site/reader.h"
#include "site/trade_words.h"

static const char CURSOR[] = "cursor";

/* --- values */

static void fault_value(struct form *form, const struct param *param, const char *name)
{
    struct buf b;
    buf_init(&b, 1024);
    buf_text(&b, "This must be ");
    param_accepts(&b, param);
    buf_char(&b, '.');
    form_fault_text(form, name, "%.*s", STR_ARG(buf_view(&b)));
    buf_finish(&b);
}

static void read_filter(
    struct page_call *call, const struct trade_filter *row, struct trade_query *query)
{
    const struct param *param = &row->param;
    struct param_value value;
    struct form *form = call->query_form;
    struct str text = form_value(form, param->name.p);
    if (str_is_null(text))
        return;
    query->given[query->given_count++] = (struct link_param){param->name, text};
    if (!param_parse(param, text, call->arena, &value))
        fault_value(form, param, param->name.p);
    else
        trade_filter_add(row, &value, &query->filter, query->tests);
}

static void read_cursor(struct form *form, struct trade_query *query)
{
    struct str text = form_value(form, CURSOR);
    query->has_cursor = !str_is_null(text);
    if (query->has_cursor && !cursor_decode(text, CURSOR_TRADES, &query->cursor))
        form_fault_text(
            form, NULL, "The address of this page is damaged. Begin again at the newest trades.");
}

/* --- the form */

static void show_choice(struct page_call *call, const struct param *param)
{
    struct form_option options[64];
    size_t count = 0;
    options[count++] = (struct form_option){STR(""), STR("Any")};
    for (int value = 1; value < param->list->count; value++)
        options[count++] = (struct form_option){
            param->list->name_of(value), words_choice(param->list, value, call->arena)};
    form_show_choice(call->view, call->query_form, param->name.p, STR(""), options, count);
}

static void show(struct page_call *call)
{
    for (size_t i = 0; i < trade_filter_params.count; i++) {
        const struct param *param = param_table_at(&trade_filter_params, i);
        if (param->type == PARAM_TYPE_LISTED)
            show_choice(call, param);
        else
            form_show(call->view, call->query_form, param->name.p, STR(""));
    }
}

static struct form *read_form(struct page_call *call, struct str path)
{
    struct page_query_name names[PARAM_TABLE_MAX + 1];
    size_t count = trade_filter_params.count;
    for (size_t i = 0; i < count; i++) {
        const struct param *param = param_table_at(&trade_filter_params, i);
        names[i] = (struct page_query_name){param->name.p, param->alias.p};
    }
    names[count] = (struct page_query_name){CURSOR, NULL};
    return page_query_form(call, path, names, count + 1);
}

bool trade_query_read(struct page_call *call, struct str path, struct trade_query *ret)
{
    struct form *form = read_form(call, path);
    *ret = (struct trade_query){.filter = FEED_FILTER_NONE};
    if (!form)
        return false;
    for (size_t i = 0; i < trade_filter_params.count; i++)
        read_filter(call, trade_filter_at(i), ret);
    read_cursor(form, ret);
    int64_t until = reader_until(call);
    if (until != INSTANT_NONE &&
        (ret->filter.until_ms == INSTANT_NONE || ret->filter.until_ms > until))
        ret->filter.until_ms = until;
    show(call);
    view_bool(call->view, "filtered", ret->given_count > 0);
    return !form_is_faulty(form);
}
