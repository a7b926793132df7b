/*
 * A list of the store as CSV, of any length. A worker reads a part of some hundred rows, the loop
 * sends it, and then the worker reads the next part. So a reply holds at most one part. Private to
 * src/site/data.
 */
#pragma once

#include "db/db.h"
#include "site/frame/page_call.h"

struct list_csv_stored {
    const char *name; /* "corrections": of the file */
    struct str header;
    void *list; /* for `put`; in the arena of the call, like all that it points to */
    /* Appends the next lines, read from `db`. On a worker, one call at a time. *ret_more: there may
     * be others after them. */
    enum err (*put)(void *list, struct db *db, struct buf *b, bool *ret_more, struct fail *fail);
};

/* Reads the first part, then replies. If a later part cannot be read, the connection is closed
 * without the end of the body, so that the file does not look complete. */
enum err list_csv_stored_reply(
    struct page_call *call, const struct list_csv_stored *csv, struct fail *fail);
