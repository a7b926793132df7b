/* Reads the query of a page of trades; see trade_query.h. */
#include "site/trade_query.h"

#include "feed/trade_filter.h"
#include "shape/lists.h"
#include "site/page_call_parts.h"
#include "site/reader.h"
#include "site/trade_words.h"

static const char CURSOR[] = "cursor";

/* What other sites add to links. */
static bool is_mark(struct str name)
{
    static const struct str marks[] = {
        STR_INIT("fbclid"), STR_INIT("gclid"), STR_INIT("mc_cid"), STR_INIT("mc_eid"),
        STR_INIT("ref")};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (str_eq(name, marks[i]))
            return true;
    return str_starts(name, STR("utm_"));
}

/* The query as a form without empty values and marks, with the first name of each filter. True: the
 * query was another. */
static bool read_form(struct page_call *call, struct form *form)
{
    bool changed = false;
    form_init(form, call->arena);
    for (size_t i = 0; i < call->query.count; i++) {
        const struct query_pair *pair = &call->query.pairs[i];
        const struct trade_filter *row = trade_filter_named(pair->name);
        struct str name = row ? row->param.name : pair->name;
        bool keep = pair->value.n && !is_mark(name);
        if (keep)
            form->pairs[form->count++] = (struct form_pair){name, pair->value};
        changed |= !keep || !str_eq(name, pair->name);
    }
    return changed;
}

static void redirect(struct page_call *call, struct str path, const struct form *form)
{
    struct link_param params[QUERY_PAIRS_MAX];
    for (size_t i = 0; i < form->count; i++)
        params[i] = (struct link_param){form->pairs[i].name, form->pairs[i].value};
    page_redirect(call, link_make(call->arena, path, params, form->count), FLASH_NONE);
}

/* --- values */

static size_t times_given(const struct form *form, struct str name)
{
    size_t times = 0;
    for (size_t i = 0; i < form->count; i++)
        times += str_eq(form->pairs[i].name, name);
    return times;
}

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
    const char *name = param->name.p;
    struct param_value value;
    struct form *form = call->query_form;
    struct str text = form_value(form, name);
    size_t times = times_given(form, param->name);
    if (!times)
        return;
    query->given[query->given_count++] = (struct link_param){param->name, text};
    if (times > 1)
        form_fault_text(form, name, "This is given more than once.");
    else if (!param_parse(param, text, call->arena, &value))
        fault_value(form, param, name);
    else
        trade_filter_add(row, &value, &query->filter, query->tests);
}

static bool is_filter(struct str name)
{
    return trade_filter_named(name) != NULL || str_eq(name, STR("cursor"));
}

static void find_unknown(struct form *form)
{
    for (size_t i = 0; i < form->count; i++)
        if (!is_filter(form->pairs[i].name)) {
            form_fault_text(
                form, NULL, "There is no filter \"%.*s\". Use the fields below.",
                STR_ARG(form->pairs[i].name));
            return;
        }
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

bool trade_query_read(struct page_call *call, struct str path, struct trade_query *ret)
{
    struct form *form = ARENA_NEW(call->arena, struct form);
    *ret = (struct trade_query){.filter = FEED_FILTER_NONE};
    if (read_form(call, form)) {
        redirect(call, path, form);
        return false;
    }
    call->query_form = form;
    for (size_t i = 0; i < trade_filter_params.count; i++)
        read_filter(call, trade_filter_at(i), ret);
    find_unknown(form);
    read_cursor(form, ret);
    int64_t until = reader_until(call);
    if (until != INSTANT_NONE &&
        (ret->filter.until_ms == INSTANT_NONE || ret->filter.until_ms > until))
        ret->filter.until_ms = until;
    show(call);
    view_bool(call->view, "filtered", ret->given_count > 0);
    return !form_is_faulty(form);
}
