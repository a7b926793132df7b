/* /trades: the list of trades, with the filters of the API as a form. */
#include "site/data/list_forms.h"
#include "site/data/trade_query.h"
#include "site/frame/handlers.h"
#include "site/frame/reader.h"
#include "site/frame/trade_view.h"

enum { ROWS = 25 };

/* The ranges of the form by their lower bounds, as options of amount_min. An amount between two
 * bounds has an option of its own, so that the form keeps it. */
static void put_least(struct page_call *call)
{
    struct form_option options[BRACKET_COUNT + 1];
    struct str given = form_value(call->query_form, "amount_min");
    size_t count = 0;
    bool found = str_is_null(given);
    options[count++] = (struct form_option){STR(""), STR("Any")};
    for (int i = BRACKET_15K_50K; i <= BRACKET_OVER_50M; i++) {
        const struct bracket_info *info = bracket_info((enum bracket)i);
        struct str lower = info->label, label = info->label;
        struct form_option *option = &options[count++];
        option->value = arena_fmt(call->arena, "%lld", (long long)info->min);
        option->label = info->label; /* "Over $50,000,000" */
        if (info->max != BRACKET_OPEN && str_split(&label, ' ', &lower))
            option->label = lower;
        found |= str_eq(option->value, given);
    }
    if (!found)
        options[count++] = (struct form_option){given, given};
    form_show_choice(call->view, call->query_form, "amount_min", STR(""), options, count);
}

/* Links that change the begin of the period of publication and keep the other filters. */
static void put_periods(struct page_call *call, struct str path, const struct trade_query *query)
{
    static const struct {
        const char *label;
        int32_t days; /* 0: all */
    } periods[] = {{"any time", 0}, {"7 days", 7}, {"30 days", 30}, {"12 months", 365}};
    struct str given = page_query(call, STR("since"));
    struct link_param kept[PARAM_TABLE_MAX + 1];
    struct view *list = view_list(call->view, "periods");
    size_t count = 0;
    for (size_t i = 0; i < query->given_count; i++)
        if (!str_eq(query->given[i].name, STR("since")))
            kept[count++] = query->given[i];
    for (size_t i = 0; i < sizeof periods / sizeof *periods; i++) {
        struct str since = periods[i].days ? trade_query_since(call, periods[i].days) : STR_NULL;
        bool current =
            str_is_null(since) ? str_is_null(given) : !str_is_null(given) && str_eq(since, given);
        struct view *item = view_item(list);
        kept[count] = (struct link_param){STR("since"), since};
        view_text(item, "label", periods[i].label);
        view_str(item, "href", link_make(call->arena, path, kept, count + 1));
        view_bool(item, "current", current);
    }
}

enum err trades_page_load(struct page_call *call, struct fail *fail)
{
    MEM_UNFILLED struct feed_page page;
    struct trade_query *query = ARENA_NEW(call->arena, struct trade_query);
    const struct str path = STR("/trades");
    bool valid = trade_query_read(call, path, query);
    if (!call->query_form)
        return OK; /* sent to another address */
    put_least(call);
    put_periods(call, path, query);
    if (!valid)
        return OK;
    reader_delay_put(call, &query->filter);
    rcu_read_begin();
    int64_t total = feed_trade_count(call->config->feed, &query->filter);
    view_count(call->view, "total", total);
    view_bool(call->view, "oneInTotal", total == 1);
    view_str(
        call->view, "groupsHref",
        link_make(call->arena, STR("/explore"), query->given, query->given_count));
    feed_trades(call->config->feed, &query->filter, trade_query_after(query), ROWS, &page);
    trade_table_put(
        call, "trades", &page, path, query->given, query->given_count,
        reader_empty(
            call, &query->filter,
            query->given_count ? "No trade matches these filters." : "No trade is published yet."));
    rcu_read_end();
    page_surrogate(call, "list", STR("trades"));
    list_forms(call, path, query->given, query->given_count);
    return OK;
}
