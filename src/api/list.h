/*
 * Pages of lists: {"data": [...], "nextCursor": text or null}. The next page is also in Link, and
 * for CSV in X-Next-Cursor (spec 1.2, spec 8, decision 15).
 */
#pragma once

#include "api/reply.h"

/* The end of a page. It points into itself: do not copy it. */
struct list_end {
    struct str next;  /* cursor of the next page; null on the last page */
    struct str after; /* the JSON after the rows */
    char text[CURSOR_TEXT_SIZE_MAX + 20];
};

/* `next` is the position where the next page continues; NULL: this is the last page. */
void list_end(const struct cursor *next, struct list_end *ret);

/* The maximum number of rows. */
size_t list_limit(const struct param_values *params);

/* The optional members of each Trade (noun/extra.h). */
int64_t list_fields(const struct param_values *params);

/* The cursor in the request. NULL: none. */
const struct cursor *list_after(const struct param_values *params);

/* False: a filter names a party or a committee that there is not, and the reply is an error with
 * those that there are. `of_members`: parties of members are known too, not those of trades alone.
 */
bool list_values_pass(struct api_call *call, bool of_members);

/* Writes the page as JSON, with Link. */
void list_reply(struct api_call *call, const struct feed_page *page, const struct list_end *end);

/* Opens the newest service of a politician in office, which is printed without an end. */
void list_ongoing(struct feed_politician *politician, struct arena *arena);

/* Writes X-Reports-Waiting if known reports of that politician (null: of any) are not published:
 * for a reply without rows. */
void list_waiting(struct api_call *call, struct str politician);

/* Writes Link: the same path and parameters with the next cursor. Nothing on the last page. */
void list_link(struct api_call *call, const struct list_end *end);
