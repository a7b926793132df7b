/*
 * Numbers of documents in a search: the House's number of a document, a Senate UUID, the address of
 * an official document, and the id of a filing or a trade. Private to src/site/data.
 */
#pragma once

#include "site/frame/page_call.h"

struct search_target {
    struct str number; /* the text as a number; null: it is none */
    struct str path; /* of the filing or the trade, also one that is withdrawn or delayed: its page
                        says so. Null: nothing published has this number. */
};

/* `text` has no hidden characters at its ends. */
enum err search_target_find(
    struct page_call *call, struct str text, struct search_target *ret,
    struct fail *fail) MUST_CHECK;
