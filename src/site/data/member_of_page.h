/* The member that a page below /politicians/ is about. Private to src/site/data. */
#pragma once

#include "feed/feed.h"
#include "site/frame/page_call.h"

/* Finds the member of the first segment; `below` is the rest of the address, such as "/filings".
 * Strings live in the arena. *ret_path is the address of the page; null: the address had the
 * member's id or other letter case, and the reply is a redirect. ERR_NOT_FOUND: no such member. */
enum err member_of_page(
    struct page_call *call, const char *below, struct feed_politician *ret, struct str *ret_path,
    struct fail *fail);
