/*
 * The stored page of an electronic Senate report, as text (paper/page_text.h), beside its draft and
 * beside a drawn row of it: what a person compares the rows with.
 */
#pragma once

#include "site/frame/page_call.h"
#include "store/public/kept_document.h"

struct desk_stored {
    bool is_whole; /* nothing of it is cut off */
    bool descends; /* its rows are numbered downwards */
};

/* Shows it as "stored", with the row's place marked; row 0: none. */
enum err desk_stored_put(
    struct page_call *call, const struct kept_document *kept, int64_t row, struct desk_stored *ret,
    struct fail *fail);
