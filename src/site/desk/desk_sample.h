/* Shared by the pages of the sample. Private to src/site/desk. */
#pragma once

#include "review/desk/sample_desk.h"
#include "site/frame/page_call.h"

/* The address of the page of a row. */
struct str desk_sample_address(struct page_call *call, int64_t no);

/* The address of the row after `no` that the visitor may type, or of the first one; the list if
 * there is none. */
enum err desk_sample_next(
    struct page_call *call, struct db *db, int64_t no, struct str *ret, struct fail *fail);
