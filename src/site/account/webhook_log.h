/* The log of deliveries on the page of an endpoint: filters, pages, rows. Private to
 * src/site/account. */
#pragma once

#include "site/frame/page_call.h"
#include "store/account/endpoint.h"
#include "webhook/owner_send.h"

/* Shows the log as the query says: state, from, to (days in Washington), before or after (the id of
 * the delivery at the edge of the other page). */
enum err webhook_log_put(
    struct page_call *call, const struct endpoint *endpoint, struct fail *fail);

/* Days in Washington, from the first's start to the second's end. Null or unreadable: no bound. */
void webhook_log_days(struct str from, struct str to, int64_t *ret_since, int64_t *ret_until);
