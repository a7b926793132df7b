/* The forms of a list; see list_forms.h. */
#include "site/data/list_forms.h"

#include "site/data/list_feed.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/reader.h"
#include "site/frame/site_state.h"

static bool has_page(const struct page_call *call, struct str path)
{
    return site_page(call->reply->site, path) != NULL;
}

void list_forms(
    struct page_call *call, struct str list, const struct link_param *filters, size_t count)
{
    struct str api = arena_fmt(call->arena, "/api/v1%.*s", STR_ARG(list));
    list_forms_json(call, list, link_make(call->arena, api, filters, count), filters, count);
}

void list_forms_json(
    struct page_call *call, struct str list, struct str json, const struct link_param *filters,
    size_t count)
{
    struct arena *arena = call->arena;
    struct str csv = arena_fmt(arena, "%.*s.csv", STR_ARG(list));
    view_str(call->view, "json", json);
    page_alternate(call, "application/json", json, "The same list as JSON");
    if (has_page(call, arena_fmt(arena, "%.*s.atom", STR_ARG(list))))
        list_feed_alternates(call, list, filters, count);
    else
        view_null(call->view, "atom");
    bool has_csv = has_page(call, csv), may_have = reader_csv_rows(call) > 0;
    view_str(
        call->view, "csv", has_csv && may_have ? link_make(arena, csv, filters, count) : STR_NULL);
    view_bool(call->view, "csvPlan", has_csv && !may_have);
}

enum err list_forms_fault(struct page_call *call, struct str list, struct fail *fail)
{
    const struct page *page = site_page(call->reply->site, list);
    if (!call->query_form)
        return OK;
    if (call->key) {
        page_problem(call, PROBLEM_BAD_REQUEST, call->query_form->complaints->text);
        return OK;
    }
    page_template(call, 200, page->template, page->title);
    return page->load(call, fail);
}
