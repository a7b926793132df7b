/* SQL conditions for endpoints that get deliveries. `e` is the endpoint, `a` its account, `d` a
 * delivery. Private to src/store. */
#pragma once

#define ENDPOINT_IS_OPEN "(e.state = 'enabled' AND a.disabled_at IS NULL)"

/* Gets at least what a person sends, a replay or a test. */
#define ENDPOINT_TAKES_BY_HAND "(e.state <> 'deleted' AND a.disabled_at IS NULL)"

/* Is sent when it is due; any other delivery is held. */
#define DELIVERY_MAY_GO                                                                            \
    "(" ENDPOINT_IS_OPEN " OR (d.cause <> 'event' AND " ENDPOINT_TAKES_BY_HAND "))"
