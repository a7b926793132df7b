/*
 * The data of a page: a tree of named values, which a template (html/mustache.h) prints as HTML and
 * view_json as JSON. One tree serves both, so a page and its JSON twin cannot differ.
 *
 *     struct view *page = view_create(arena);
 *     view_str(page, "name", name);
 *     view_instant(page, "createdAt", created_ms);
 *     struct view *keys = view_list(page, "keys");
 *     for (...)
 *         view_str(view_item(keys), "prefix", prefix);
 *
 * All memory is the arena's. Texts are copied; member names are not: pass literals. Setting a name
 * again replaces its value. A value without a member is missing; a null string, INSTANT_NONE,
 * false, the empty string and the empty list are falsy in a template. Zero is a number like any
 * other, and is not falsy.
 *
 * A view holds no HTML. view_html is for charts (html/chart.h) and our own documentation
 * (html/markdown.h) only.
 */
#pragma once

#include "base/instant.h"

struct view;

/* An object without members. The arena must outlive it. */
struct view *view_create(struct arena *arena);

void view_str(struct view *v, const char *name, struct str value);
void view_text(struct view *v, const char *name, const char *value); /* NULL is null */
void view_fmt(struct view *v, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void view_int(struct view *v, const char *name, int64_t value);
void view_bool(struct view *v, const char *name, bool value);
void view_null(struct view *v, const char *name);

/* A number for people as well: "requests" is 1000000, "requestsText" is "1,000,000". */
void view_count(struct view *v, const char *name, int64_t value);
void view_count_put(struct buf *b, int64_t value); /* "1,000,000" */

/* An instant: "createdAt" is the exact time, "createdAtText" the time in Washington, such as
 * "2026-11-20 03:12 EST". INSTANT_NONE: both are null. Print it as
 * <time datetime="{{createdAt}}">{{createdAtText}}</time>. */
void view_instant(struct view *v, const char *name, int64_t ms);

/* The same, and "createdAtAgo": "just now", "5 minutes ago", "in 3 days". */
void view_ago(struct view *v, const char *name, int64_t ms, int64_t now_ms);

/* What a person typed. Printed in a form, it is posted again as exactly this text: hidden
 * characters become references, where view_str would show their codes. */
void view_typed(struct view *v, const char *name, struct str value);

/* HTML, printed as it is. JSON leaves it out. */
void view_html(struct view *v, const char *name, struct str html);

/* An empty object, or an empty list, as a member. */
struct view *view_object(struct view *v, const char *name);
struct view *view_list(struct view *v, const char *name);

/* Appends an object, or a text, to a list. */
struct view *view_item(struct view *list);
void view_item_str(struct view *list, struct str value);

/* The member, to add to an object or list that another function made; NULL: there is none. */
struct view *view_member(struct view *v, const char *name);

struct arena *view_arena(const struct view *v);

/* Appends the view as JSON. */
void view_json(struct buf *b, const struct view *view);
