/* Which endpoints are sent to: those that are enabled and whose owner is not disabled. A condition
 * of SQL, with `e` for the endpoint and `a` for its account. Private to src/store. */
#pragma once

#define ENDPOINT_IS_OPEN "(e.state = 'enabled' AND a.disabled_at IS NULL)"
