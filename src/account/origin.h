/* From where a session is used, as little as its owner needs to recognise it: the network of the
 * address and a short name of the browser. */
#pragma once

#include "address/address.h"
#include "store/account/session.h"

/* "203.0.113.0/24", "2001:db8:12::/48", "this machine" for loopback and unix sockets; and "Firefox
 * on Linux" from the User-Agent (null: there is none). Both in the arena. */
struct session_origin origin_make(
    const struct address *client, struct str user_agent, struct arena *arena);

/* "Firefox on Linux", "Safari on iPhone", "curl", "Unknown browser": words of a table only, never a
 * part of the text. */
struct str origin_browser(struct str user_agent, struct arena *arena);
