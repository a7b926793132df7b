/* Prints the reply that page_call_parts.h describes. Private to src/site. */
#pragma once

#include "site/frame/page_call_parts.h"

/* Writes head and body into the exchange. On a worker, or on the loop for a reply that reads
 * nothing. */
void page_reply_write(struct page_call *call);

/* Prints call->view in a template. */
void page_reply_print(const struct page_call *call, struct str template, struct buf *b);

void page_reply_allow(struct page_call *call, unsigned methods); /* adds Allow */
