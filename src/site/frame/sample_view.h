/* The error rate of the published trades, in words and tables for /coverage. Private to
 * src/site. */
#pragma once

#include "site/frame/page_call.h"

/* `sample` of the view. */
enum err sample_view_put(struct page_call *call, struct fail *fail);
