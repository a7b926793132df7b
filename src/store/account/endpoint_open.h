/* SQL for endpoints that get deliveries, and for their state. `e` is the endpoint, `a` its account,
 * `d` a delivery. Private to src/store/account. */
#pragma once

#include "db/db.h"
#include "rule/delivery.h"

/* The members of struct endpoint_is, as columns. */
#define ENDPOINT_IS "e.state, e.failures, e.streak, e.gone, e.pauses, e.failed_at, e.next_try_at"

/* Reads ENDPOINT_IS, whose first column is number `first` of the row. */
struct endpoint_is endpoint_is_read(const struct query *q, int first);

#define ENDPOINT_IS_OPEN "(e.state = 'enabled' AND a.disabled_at IS NULL)"

/* Gets at least what a person sends, a replay or a test. */
#define ENDPOINT_TAKES_BY_HAND "(e.state <> 'deleted' AND a.disabled_at IS NULL)"

/* Is sent when it is due; any other delivery is held. */
#define DELIVERY_MAY_GO                                                                            \
    "(" ENDPOINT_IS_OPEN " OR (d.cause <> 'event' AND " ENDPOINT_TAKES_BY_HAND "))"
