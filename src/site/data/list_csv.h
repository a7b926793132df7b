/*
 * The whole filtered list as CSV, for plans that have it, and for everybody if the data is open
 * (RFC 4180 with CRLF). Values are escaped against spreadsheet formulas, and hidden characters are
 * made visible. Private to src/site.
 */
#pragma once

#include "feed/feed.h"
#include "site/frame/page_call.h"

/* --- lines */

struct list_csv_line {
    struct buf *to;
    bool any; /* it has a value already */
};

void list_csv_text(struct list_csv_line *line, struct str value); /* null: empty */
void list_csv_number(struct list_csv_line *line, int64_t value);
void list_csv_instant(struct list_csv_line *line, int64_t at); /* INSTANT_NONE: empty */
void list_csv_end(struct list_csv_line *line);

/* --- replies */

/* False: the plan of the account has no CSV, and the reply says so, or asks to sign in. */
bool list_csv_may(struct page_call *call, struct fail *fail);

/* A list of the feed of any length: the loop writes it page by page. */
struct list_csv {
    const char *name; /* "trades": of the file */
    const struct feed *feed;
    int32_t today; /* UTC */
    struct str base_url;
    const void *filter; /* for `put`, like all that it points to in the arena of the call */
    void (*put_header)(struct buf *b);
    /* Appends a page of rows after the cursor (NULL: the first). Called inside a read of the feed.
     * False: it was the last page, and *ret_next is not set. */
    bool (*put)(
        const struct list_csv *csv, const struct cursor *after, struct buf *b,
        struct cursor *ret_next);
    bool begun; /* from here on for list_csv_reply: zero */
    struct cursor next;
};

void list_csv_reply(struct page_call *call, const struct list_csv *csv);

/* The body of the reply is the file. */
void list_csv_put(struct page_call *call, const char *name);

/* The same by another streamer, which finds `ctx` with page_stream_ctx. */
void list_csv_stream(
    struct page_call *call, const struct http_streamer *streamer, void *ctx, const char *name);
