/* /politicians/{slug}/filings: all filings of a member, with the days that they took. */
#include "html/link.h"
#include "site/data/list_forms.h"
#include "site/data/list_query.h"
#include "site/data/member_of_page.h"
#include "site/data/member_tables.h"
#include "site/frame/handlers.h"
#include "site/frame/known_view.h"
#include "site/frame/page_query.h"
#include "site/frame/reader.h"

enum { ROWS = 50 };

static void put_pages(struct page_call *call, struct str path, bool has_newer, struct str last)
{
    const struct link_param older[] = {{STR("after"), last}};
    struct view *pages = view_object(call->view, "pages");
    view_bool(pages, "paged", has_newer || !str_is_null(last));
    view_str(pages, "previous", has_newer ? path : STR_NULL);
    view_str(pages, "next", str_is_null(last) ? STR_NULL : link_make(call->arena, path, older, 1));
}

enum err politician_filings_page_load(struct page_call *call, struct fail *fail)
{
    static const struct page_query_name names[] = {{"after", NULL}};
    static const struct member_seats no_seats;
    struct feed_politician p;
    struct member_trades trades;
    struct missing missing;
    struct str path, last = STR_NULL;
    enum err err = member_of_page(call, "/filings", &p, &path, fail);
    if (err || str_is_null(path))
        return err;
    struct form *form = page_query_form(call, path, names, 1);
    if (!form)
        return OK;
    struct str after = form_value(form, "after");
    struct feed_filter own = FEED_FILTER_NONE;
    own.politician = p.id;
    rcu_read_begin();
    view_text(
        call->view, "empty", reader_empty(call, &own, "No filing with a trade is published yet."));
    member_trades_load(call, p.id, &no_seats, &trades);
    if (!str_is_null(after) && !member_trades_have(&trades, after)) {
        list_query_damaged(form); /* or that filing was withdrawn meanwhile */
        after = STR_NULL;
    }
    size_t more = member_filings_put(call, &trades, after, ROWS, &last);
    rcu_read_end();
    err = page_part(call, missing_load(call, &p, &missing, fail));
    missing_put(call, &p, &missing);
    reader_delay_put(call, &own);
    put_pages(call, path, !str_is_null(after), more ? last : STR_NULL);
    const struct link_param filter[] = {{STR("politician_slug"), p.slug}};
    list_forms(call, STR("/filings"), filter, 1);
    view_str(call->view, "allHref", link_make(call->arena, STR("/filings"), filter, 1));
    view_str(call->view, "name", p.name);
    view_fmt(call->view, "path", "/politicians/%.*s", STR_ARG(p.slug));
    page_title(call, arena_fmt(call->arena, "Filings of %.*s", STR_ARG(p.name)));
    page_surrogate(call, "p", p.slug);
    return err;
}
