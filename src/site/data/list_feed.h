/*
 * Feeds of lists: Atom and JSON Feed, at the path of the list with .atom or .json, with its
 * filters. Private to src/site/data.
 */
#pragma once

#include "html/link.h"
#include "html/syndication.h"
#include "site/frame/page_call.h"

enum { LIST_FEED_ROWS = 50 };

/* Names the two feeds of a list in the head of its page. */
void list_feed_alternates(
    struct page_call *call, struct str page, const struct link_param *filters, size_t count);

/* Fills in the addresses of the list, of the feed, and of its next page (null: none), and makes the
 * feed the reply. */
void list_feed_reply(
    struct page_call *call, struct syndication *s, const struct link_param *filters, size_t count,
    struct str next_cursor);
