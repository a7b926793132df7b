/* /desk/find: members by any spelling of the name, symbols by company. The script of the desk asks
 * it while a person types; without scripts it is a page to look things up. */
#include "site/handlers.h"

#include "site/desk_pick.h"
#include "site/page_query.h"
#include "store/ticker.h"

static enum err put_symbols(struct page_call *call, struct str text, struct fail *fail)
{
    struct ticker_list found = {.count = 0};
    struct view *list = view_list(call->view, "symbols");
    enum err err =
        text.n ? ticker_search(call->db, text, DESK_PICK_MAX, call->arena, &found, fail) : OK;
    for (size_t i = 0; !err && i < found.count; i++) {
        struct view *item = view_item(list);
        view_str(item, "symbol", found.items[i].symbol);
        view_str(item, "company", found.items[i].company);
    }
    view_bool(call->view, "anySymbol", !err && found.count > 0);
    view_bool(call->view, "noSymbol", !err && text.n && found.count == 0);
    return err;
}

static enum err put_members(struct page_call *call, struct str text, struct fail *fail)
{
    static const enum chamber chambers[] = {CHAMBER_HOUSE, CHAMBER_SENATE};
    struct str only = form_value(call->query_form, "chamber");
    struct view *list = view_list(call->view, "members");
    size_t count = 0;
    enum err err = OK;
    for (size_t i = 0; i < 2 && text.n && !err; i++) {
        struct member_pick found = {.count = 0};
        if (only.n && chamber_from_name(only) != chambers[i])
            continue;
        err = desk_pick_members(call, call->db, text, chambers[i], &found, fail);
        desk_pick_put(call, list, &found);
        count += found.count;
    }
    view_bool(call->view, "anyMember", count > 0);
    view_bool(call->view, "noMember", text.n && count == 0);
    return err;
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
    enum err err = put_members(call, str_trim(form_value(form, "member")), fail);
    return err ? err : put_symbols(call, str_trim(form_value(form, "symbol")), fail);
}
