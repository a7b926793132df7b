/* SQL condition for endpoints that get deliveries: enabled, and the owner is not disabled. `e` is
 * the endpoint, `a` its account. Private to src/store. */
#pragma once

#define ENDPOINT_IS_OPEN "(e.state = 'enabled' AND a.disabled_at IS NULL)"
