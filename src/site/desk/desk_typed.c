/* Forms that are not saved; see desk_typed.h. */
#include "site/desk/desk_typed.h"

#include "html/link.h"
#include "store/desk/typed.h"

static struct str place_of(const struct page_call *call)
{
    return http_request(call->x)->path;
}

/* Tokens, and what to do with the form. */
static bool is_passing(struct str name)
{
    return str_eq(name, STR("csrf")) || str_eq(name, STR("once")) || str_eq(name, STR("do")) ||
           str_eq(name, STR("of"));
}

enum err desk_typed_keep(const struct act *act, void *ctx)
{
    const struct page_call *call = ((struct desk_job *)ctx)->call;
    struct link_param params[FORM_FIELDS_MAX];
    size_t count = 0;
    for (size_t i = 0; i < call->form->count; i++)
        if (!is_passing(call->form->pairs[i].name))
            params[count++] =
                (struct link_param){call->form->pairs[i].name, call->form->pairs[i].value};
    struct str query = link_make(call->arena, STR(""), params, count);
    return typed_put(
        act->db, call->visitor.account.no, place_of(call), str_slice(query, 1, query.n),
        call->now_ms, act->fail);
}

/* A request of the page's script that arrives after the page's form was sent brings back nothing:
 * those words are saved, or thrown away. */
enum err desk_typed_keep_unsent(const struct act *act, void *ctx)
{
    struct page_call *call = ((struct desk_job *)ctx)->call;
    bool sent;
    TRY(page_was_sent(call, act->db, form_value(call->form, "of"), &sent, act->fail));
    return sent ? OK : desk_typed_keep(act, ctx);
}

enum err desk_typed_forget(const struct act *act, void *ctx)
{
    const struct page_call *call = ((struct desk_job *)ctx)->call;
    return typed_drop(act->db, call->visitor.account.no, place_of(call), act->fail);
}

enum err desk_typed_load(
    struct page_call *call, struct str mark, const struct form **ret, struct fail *fail)
{
    struct typed typed;
    struct form *form = ARENA_NEW(call->arena, struct form);
    *ret = NULL;
    enum err err =
        typed_find(call->db, call->visitor.account.no, place_of(call), call->arena, &typed, fail);
    if (!err)
        err = form_read_urlencoded(form, call->arena, typed.body, NULL, fail);
    if (err)
        return err == ERR_NOT_FOUND ? OK : err;
    struct view *view = view_object(call->view, "typed");
    view_ago(view, "at", typed.at, call->now_ms);
    view_bool(view, "changed", !str_is_null(mark) && !str_eq(form_value(form, "mark"), mark));
    *ret = form;
    return OK;
}

enum err desk_typed_put(struct page_call *call, struct fail *fail)
{
    struct typed_places places;
    struct view *list = view_list(call->view, "unsaved");
    struct str rows = arena_fmt(call->arena, "/desk/%.*s/rows", STR_ARG(call->segments[0]));
    TRY(typed_list(call->db, call->visitor.account.no, rows, call->arena, &places, fail));
    for (size_t i = 0; i < places.count; i++) {
        int64_t row = 0;
        struct view *item = view_item(list);
        bool of_row = places.items[i].n > rows.n &&
                      str_to_i64(str_slice(places.items[i], rows.n + 1, places.items[i].n), &row);
        view_bool(item, "ofRow", of_row);
        view_int(item, "row", row);
    }
    return OK;
}
