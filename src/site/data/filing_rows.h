/*
 * The trades of a filing in the order of its document. The feed has them by publication, and a row
 * that was held is published later than the rows around it. Private to src/site/data.
 */
#pragma once

#include "rule/cursor.h"
#include "rule/model.h"
#include "site/frame/page_call.h"

struct document_row {
    struct trade trade;
    struct lateness lateness;
};

struct filing_rows {
    struct document_row *items; /* in the arena of the call */
    size_t count;
    bool more; /* there are rows after these: hand out `next` */
    struct cursor next;
};

/* At most `limit` trades that the visitor sees, after the row `after` (0: from the first). Call it
 * inside a read of the feed. Looks at every trade of the filing: 10 ms of CPU for 10,000. */
void filing_rows_read(
    struct page_call *call, struct str filing_id, int64_t after, size_t limit,
    struct filing_rows *ret);
