/* Builds the view of a table; see table.h. */
#include "html/table.h"

#include <assert.h>

#include "html/view_parts.h"

enum { FILTERS_MAX = 32 };

struct view *table_begin(
    struct view *view, const char *name, const char *columns, const char *empty)
{
    struct str rest = str_from(columns), label;
    struct view *table = view_object(view, name);
    view_bool(table, "any", false);
    view_text(table, "empty", empty);
    view_bool(table, "paged", false);
    view_null(table, "previous");
    view_null(table, "next");
    struct view *list = view_list(table, "columns");
    while (str_split(&rest, '|', &label)) {
        struct view *column = view_item(list);
        bool number = str_starts(label, STR("#"));
        view_str(column, "label", str_slice(label, number, label.n));
        view_bool(column, "number", number);
    }
    view_list(table, "rows");
    return table;
}

struct view *table_row(struct view *table)
{
    view_bool(table, "any", true);
    return view_item(view_member(table, "rows"));
}

static void set_link(
    struct view *table, const char *name, struct str path, struct link_param *params, size_t count)
{
    if (str_is_null(params[count - 1].value))
        return;
    view_str(table, name, link_make(table->arena, path, params, count));
    view_bool(table, "paged", true);
}

void table_pages(
    struct view *table, struct str path, const struct link_param *filters, size_t filter_count,
    struct link_param previous, struct link_param next)
{
    struct link_param params[FILTERS_MAX + 1];
    assert(filter_count <= FILTERS_MAX);
    for (size_t i = 0; i < filter_count; i++)
        params[i] = filters[i];
    params[filter_count] = previous;
    set_link(table, "previous", path, params, filter_count + 1);
    params[filter_count] = next;
    set_link(table, "next", path, params, filter_count + 1);
}
