/* Waits until running servers have applied a change that a page has made. */
#pragma once

#include "site/frame/page_call.h"

/* Call it after page_write, for changes of keys and plans: returns when every running server has
 * applied them, so that the visitor's next request finds them; at most a second later in any case.
 * Gives the call a new snapshot of the store. */
void page_wait_applied(struct page_call *call);
