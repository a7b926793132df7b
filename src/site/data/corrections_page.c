/* /corrections: everything that changed after publication, newest first. */
#include "site/frame/handlers.h"

#include "html/table.h"
#include "site/data/corrections_query.h"
#include "site/data/list_forms.h"
#include "site/frame/page_call_parts.h"
#include "site/frame/reader.h"

enum { ROWS = 25, HIDDEN_MAX = 1000 };

static void count_hidden(void *ctx, const struct correction *correction)
{
    *(int64_t *)ctx += !correction->damaged;
}

/* The sentence of an empty list. Changes of what the visitor does not see yet are not in it. */
static enum err find_empty(
    struct page_call *call, const struct correction_range *range, const char **ret,
    struct fail *fail)
{
    int64_t hidden = 0;
    TRY(correction_each(call->db, range, HIDDEN_MAX, count_hidden, &hidden, fail));
    if (hidden)
        *ret = arena_fmt(
                   call->arena,
                   "%s%lld change%s of trades that were published in the last %.*s: %s here with "
                   "them.",
                   hidden == HIDDEN_MAX ? "At least " : "", (long long)hidden,
                   hidden == 1 ? " is" : "s are", STR_ARG(reader_words_delay(call)),
                   hidden == 1 ? "it appears" : "they appear")
                   .p;
    return OK;
}

enum err corrections_page_load(struct page_call *call, struct fail *fail)
{
    struct list_query query;
    struct correction_range range;
    struct correction_list list;
    const struct str path = STR("/corrections");
    if (!corrections_query_read(call, path, &query, &range))
        return OK;
    TRY(correction_list_read(call, &range, ROWS, &list, fail));
    const char *empty =
        query.given_count ? "No correction matches." : "No published trade was changed.";
    if (call->reply->lacking)
        empty = "Not available: the database does not answer.";
    else if (!list.count)
        TRY(find_empty(call, &range, &empty, fail));
    struct view *table = table_begin(call->view, "corrections", "When|What|Change|Why", empty);
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
