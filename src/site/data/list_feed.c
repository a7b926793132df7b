/* Feeds of lists; see list_feed.h. */
#include "site/data/list_feed.h"

#include <assert.h>

#include "site/frame/known_view.h"
#include "site/frame/page_call_parts.h"

static const char ATOM_TYPE[] = "application/atom+xml", JSON_TYPE[] = "application/feed+json";

/* By the ending of its address. */
static bool is_json(const struct page_call *call)
{
    return str_ends(str_from(call->page->path), STR(".json"));
}

/* The list's own address, "/trades", from that of its feed. */
static struct str page_of(const struct page_call *call)
{
    struct str path = str_from(call->page->path);
    return str_slice(path, 0, path.n - STR(".atom").n); /* .json is as long */
}

void list_feed_alternates(
    struct page_call *call, struct str page, const struct link_param *filters, size_t count)
{
    struct arena *arena = call->arena;
    struct str atom = arena_fmt(arena, "%.*s.atom", STR_ARG(page));
    struct str json = arena_fmt(arena, "%.*s.json", STR_ARG(page));
    atom = link_make(arena, atom, filters, count);
    json = link_make(arena, json, filters, count);
    page_alternate(call, ATOM_TYPE, atom, "Atom feed of this list");
    page_alternate(call, JSON_TYPE, json, "JSON Feed of this list");
    view_str(call->view, "atom", atom);
    view_str(call->view, "jsonFeed", json);
}

/* "Trades of members of Congress (chamber=senate, conflict=true)": readers of news list feeds by
 * their titles. */
static struct str title_of(
    struct arena *arena, struct str list, const struct link_param *filters, size_t count)
{
    BUF_SCOPED(b, SIZE_MAX);
    buf_str(&b, list);
    for (size_t i = 0; i < count; i++)
        buf_fmt(
            &b, "%s%.*s=%.*s", i ? ", " : " (", STR_ARG(filters[i].name),
            STR_ARG(filters[i].value));
    if (count)
        buf_char(&b, ')');
    return arena_str(arena, buf_view(&b));
}

void list_feed_reply(
    struct page_call *call, struct syndication *s, const struct link_param *filters, size_t count,
    struct str next_cursor)
{
    struct link_param links[PARAM_TABLE_MAX + 1];
    struct arena *arena = call->arena;
    struct str self = arena_fmt(/* as it was asked for */
                                arena, "%.*s%s", STR_ARG(call->reply->link), call->page->path);
    bool json = is_json(call);
    assert(count <= PARAM_TABLE_MAX);
    for (size_t i = 0; i < count; i++)
        links[i] = filters[i];
    links[count] = (struct link_param){STR("cursor"), next_cursor};
    s->title = title_of(arena, s->title, filters, count);
    s->page = page_url(call, link_make(arena, page_of(call), filters, count));
    s->self = page_url(call, link_make(arena, self, filters, count));
    s->next = str_is_null(next_cursor) ? STR_NULL
                                       : page_url(call, link_make(arena, self, links, count + 1));
    if (json)
        syndication_json(http_body(call->x), s);
    else
        syndication_atom(http_body(call->x), s);
    known_header_put(call);
    page_download(
        call, json ? STR("application/feed+json") : STR("application/atom+xml; charset=utf-8"),
        STR_NULL);
}
