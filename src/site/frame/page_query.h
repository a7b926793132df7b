/*
 * The query of a page as a form with method GET, and the links to the pages of a list. Private to
 * src/site.
 *
 * A page is more lenient than the API: an empty value counts as missing, tracking parameters
 * (utm_source and the like) are dropped, and a value can have other spellings. In these cases the
 * visitor is redirected to the canonical URL, so that each list has one URL. The reply is 400 for a
 * name that the page does not know, with a fault above the form, and for a value that is given more
 * than once, with a fault beside its field.
 */
#pragma once

#include "html/link.h"
#include "rule/cursor.h"
#include "site/frame/page_call.h"

/* A name that the page knows. */
struct page_query_name {
    const char *name;
    const char *alias; /* another name: the visitor is sent to the first; NULL: none */
    /* The value as the address has it: the visitor is sent there. NULL: as given. */
    struct str (*settle)(struct page_call *call, struct str value);
};

/* Sets and returns call->query_form. `path` is the address of the page. NULL: the reply is a
 * redirect, and the handler returns OK. */
struct form *page_query_form(
    struct page_call *call, struct str path, const struct page_query_name *names, size_t count);

/* The same for a page that knows no name. False: the reply is a redirect. */
static inline bool page_query_none(struct page_call *call, struct str path)
{
    return page_query_form(call, path, NULL, 0) != NULL;
}

struct str page_cursor_text(struct arena *arena, const struct cursor *cursor);

/* Links of a table to the next page, after `next` (NULL: there is none), and, unless this is the
 * first page, to the newest. A cursor leads down only. */
void page_cursor_links(
    struct page_call *call, struct view *table, struct str path, const struct link_param *filters,
    size_t filter_count, const struct cursor *next);
