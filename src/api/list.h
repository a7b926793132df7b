/*
 * Lists: {"data": [...], "nextCursor": text or null}, and the way to the next page in the body, in
 * Link, and for CSV in X-Next-Cursor (spec 1.2, spec 8, decision 15).
 */
#pragma once

#include "api/reply.h"

/* How a page ends. Points into itself: not to be copied. */
struct list_end {
    struct str next;  /* the cursor of the next page; null on the last one */
    struct str after; /* what stands behind the rows in JSON */
    char text[CURSOR_TEXT_SIZE_MAX + 20];
};

/* `next`: the position that the next page goes on from; NULL: this is the last one. */
void list_end(const struct cursor *next, struct list_end *ret);

/* The most rows that the page may have. */
size_t list_limit(const struct param_values *params);

/* Where the page begins: the cursor that came with the request, or NULL. */
const struct cursor *list_after(const struct param_values *params);

/* The page as JSON, with Link. */
void list_reply(struct api_call *call, const struct feed_page *page, const struct list_end *end);

/* Link to the next page: the same address and parameters with its cursor. Nothing on the last. */
void list_link(struct api_call *call, const struct list_end *end);
