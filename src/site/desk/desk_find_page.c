/* /desk/find: members by any spelling of the name, symbols by any spelling, by a former symbol and
 * by company. The script of the desk asks it while a person types; without scripts it is a page to
 * look things up. */
#include "site/frame/handlers.h"

#include "feed/feed.h"
#include "site/desk/desk_pick.h"
#include "site/frame/page_query.h"
#include "store/public/ticker.h"

static void put_symbol(struct view *list, struct str symbol, struct str company)
{
    struct view *item = view_item(list);
    view_str(item, "symbol", symbol);
    view_str(item, "company", company);
}

/* "Meta Platforms, Inc., FB before 2022-06-09": what became of a former symbol. */
static enum err put_later(
    struct page_call *call, struct view *list, struct str text, bool *ret_any, struct fail *fail)
{
    char space[TICKER_SIZE_MAX];
    struct feed_former later[FEED_FORMER_MAX];
    struct str symbol = str_of(space, ticker_normalize(text, space));
    size_t n = symbol.n ? feed_later_symbols(call->config->feed, symbol, later) : 0;
    for (size_t i = 0; i < n; i++) {
        char day[DAY_TEXT_SIZE];
        struct ticker now = {.company = STR_NULL};
        enum err err = ticker_find(call->db, later[i].symbol, call->arena, &now, fail);
        if (err && err != ERR_NOT_FOUND)
            return err;
        day_print(later[i].until, day);
        put_symbol(
            list, later[i].symbol,
            arena_fmt(
                call->arena, "%.*s%s%.*s before %.*s", STR_ARG(now.company),
                now.company.n ? ", " : "", STR_ARG(symbol), (int)sizeof day, day));
    }
    *ret_any |= n > 0;
    return OK;
}

static enum err put_symbols(struct page_call *call, struct str text, struct fail *fail)
{
    struct ticker_list found = {.count = 0};
    struct view *list = view_list(call->view, "symbols");
    enum err err =
        text.n ? ticker_search(call->db, text, DESK_PICK_MAX, call->arena, &found, fail) : OK;
    bool any = !err && found.count > 0;
    for (size_t i = 0; any && i < found.count; i++)
        put_symbol(list, found.items[i].symbol, found.items[i].company);
    if (!err)
        err = put_later(call, list, text, &any, fail);
    view_bool(call->view, "anySymbol", any);
    view_bool(call->view, "noSymbol", text.n && !any);
    return err;
}

static enum err put_members(struct page_call *call, struct str text, struct fail *fail)
{
    static const enum chamber chambers[] = {CHAMBER_HOUSE, CHAMBER_SENATE};
    struct str only = form_value(call->query_form, "chamber");
    struct view *list = view_list(call->view, "members");
    size_t count = 0;
    for (size_t i = 0; i < 2 && text.n; i++) {
        struct member_pick found = {.count = 0};
        if (only.n && chamber_from_name(only) != chambers[i])
            continue;
        TRY(desk_pick_members(call, call->db, text, chambers[i], &found, fail));
        desk_pick_put(call, list, &found);
        count += found.count;
    }
    view_bool(call->view, "anyMember", count > 0);
    view_bool(call->view, "noMember", text.n && count == 0);
    return OK;
}

enum err desk_find_load(struct page_call *call, struct fail *fail)
{
    static const struct page_query_name names[] = {
        {"member", NULL}, {"symbol", NULL}, {"chamber", NULL}};
    struct form *form = page_query_form(call, STR("/desk/find"), names, 3);
    if (!form)
        return OK;
    struct str chamber = form_value(form, "chamber");
    if (chamber.n && chamber_from_name(chamber) == CHAMBER_NONE)
        form_fault_text(form, "chamber", "expected house or senate");
    form_show(call->view, form, "member", STR_NULL);
    form_show(call->view, form, "symbol", STR_NULL);
    form_show_faults(call->view, form);
    TRY(put_members(call, str_trim(form_value(form, "member")), fail));
    return put_symbols(call, str_trim(form_value(form, "symbol")), fail);
}
