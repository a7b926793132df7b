/*
 * The body of a successful GET /api/v1/events, read with yajl. Makes no tree: the bodies of events
 * are parts of the text, byte for byte as webhooks send them.
 */
#pragma once

#include "base/mem.h"

enum { EVENT_PAGE_COUNT_MAX = 100 };

struct event_page_item {
    struct str id;   /* evt_ and 16 hexadecimal digits */
    struct str type; /* letters, dots and underscores */
    struct str body; /* an object, in the text; null: too large for the API */
};

struct event_page {
    struct event_page_item items[EVENT_PAGE_COUNT_MAX];
    size_t count;
    bool more;         /* there is a next page */
    struct str cursor; /* where to continue: base64url */
    struct arena arena;
};

/* False: the text is not such a page. event_page_finish in any case. Strict (RFC 8259, UTF-8). */
bool event_page_read(struct str text, struct event_page *ret);
void event_page_finish(struct event_page *page);
