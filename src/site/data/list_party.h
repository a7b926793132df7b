/* A filter by party, as read from a form. Private to src/site/data. */
#pragma once

#include "noun/param.h"
#include "site/frame/page_call.h"

/* False, with a fault beside the field: a party that no member and no trade has. */
bool list_party_check(struct page_call *call, const char *field, const struct param_value *value);
