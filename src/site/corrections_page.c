/* /corrections: everything that changed after publication, newest first. */
#include "site/handlers.h"

#include "html/table.h"
#include "site/corrections_query.h"
#include "site/list_forms.h"

enum { ROWS = 25 };

enum err corrections_page_load(struct page_call *call, struct fail *fail)
{
    static const struct table_column columns[] = {
        {"When", false}, {"What", false}, {"Change", false}, {"Why", false}};
    struct list_query query;
    struct correction_range range;
    struct correction_list list;
    const struct str path = STR("/corrections");
    if (!corrections_query_read(call, path, &query, &range))
        return OK;
    enum err err = correction_list_read(call, &range, ROWS, &list, fail);
    if (err)
        return err;
    struct view *table = table_begin(
        call->view, "corrections", columns, sizeof columns / sizeof *columns,
        query.given_count ? "No correction matches." : "No published trade was changed.");
    for (size_t i = 0; i < list.count; i++) {
        struct view *row = table_row(table);
        correction_view_put(row, &list.items[i]);
        struct str about = correction_about(call, &list.items[i]);
        if (str_is_null(about)) /* a withdrawn trade is not in the feed */
            about = correction_filer(call, &list.items[i]);
        view_str(row, "about", about);
    }
    const struct link_param none = {STR("cursor"), STR_NULL};
    const struct link_param older = {STR("cursor"), corrections_next(call->arena, &list)};
    table_pages(table, path, query.given, query.given_count, none, older);
    if (!str_is_null(page_query(call, STR("cursor")))) {
        view_str(table, "previous", link_make(call->arena, path, query.given, query.given_count));
        view_bool(table, "paged", true);
    }
    page_surrogate(call, "list", STR("corrections"));
    list_forms(call, path, query.given, query.given_count);
    return OK;
}
