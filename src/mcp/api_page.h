/*
 * The body of a successful API response, read with yajl: its form and, of a page of trades or of
 * politicians, what the tools that compare names and signals need. Makes no tree: the items of a
 * page are parts of the body.
 */
#pragma once

#include "base/mem.h"

/* An element of a list. Texts are null where the member is absent or not a string. */
struct api_item {
    struct str json;                              /* the object, in the body */
    bool conflict;                                /* of a trade: conflictSignal is true */
    struct str reason;                            /* of a trade: conflictReason */
    bool in_office;                               /* of a politician's profile: inOffice is true */
    int64_t waiting;                              /* of the profile: reports not published */
    struct str slug, name, chamber, party, state; /* of the profile, or of the trade's politician */
    struct str ticker;                            /* of a trade */
};

struct api_page {
    bool is_one;            /* data is an object */
    bool is_list;           /* data is an array of objects, and nextCursor a string or null */
    struct str next_cursor; /* null: none */
    struct api_item *items; /* of a list */
    size_t count;
    bool no_recent;     /* data is an object whose recentTrades is empty */
    struct arena arena; /* of the texts that are not in the body */
};

/* False: the body is not a JSON object. api_page_finish in any case. Strict (RFC 8259, UTF-8). */
bool api_page_read(struct str body, struct api_page *ret);
void api_page_finish(struct api_page *page);
