/*
 * Feeds of the lists of members and symbols, which have no order in time: the rows with the newest
 * publications. Private to src/site/data.
 */
#pragma once

#include "feed/feed.h"
#include "site/data/list_feed.h"
#include "store/public/correction.h"

struct list_newest_row {
    struct str key;   /* the last part of its address, unique in the list */
    struct str name;  /* "Robin Vale" */
    struct str label; /* "House, OR, Democrat"; null: none */
    struct feed_counts counts;
};

/* The newest rows so far, newest first. */
struct list_newest {
    size_t count;
    struct list_newest_row rows[LIST_FEED_ROWS];
};

/* The place for a row, which the caller fills in with texts that outlive the feed. NULL: it has no
 * trades, or is older than all kept rows. */
struct list_newest_row *list_newest_place(
    struct list_newest *newest, struct str key, const struct feed_counts *counts);

struct list_newest_kind {
    struct str list;    /* the address of the list, "/politicians"; a row is below it */
    struct str title;   /* of the feed */
    const char *letter; /* of the surrogate keys of its rows, "p" */
    /* Chooses the corrections about a row. */
    void (*choose)(struct correction_range *range, struct str key);
};

/* Makes the feed the reply. Call it outside of a read of the feed: it reads the corrections. */
enum err list_newest_reply(
    struct page_call *call, const struct list_newest_kind *kind, const struct list_newest *newest,
    const struct link_param *filters, size_t count, struct fail *fail);
