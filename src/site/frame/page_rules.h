/* Who may see a page, and which addresses answer JSON to a program. */
#pragma once

#include "site/frame/page_call.h"

bool page_may(const struct page_call *call, enum page_access access); /* whether the visitor may */

/* True under /account, /admin and /desk, where the same address answers JSON to a program. */
bool page_has_json(struct str path);

/* True under /account/api, which answers nothing else (decision 22). */
bool page_is_json(struct str path);
