/*
 * The address that a request comes from: X-Forwarded-For, read from right to left through trusted
 * proxies (decision 25).
 */
#pragma once

#include "address/address.h"

enum { CLIENT_ADDRESS_HOPS_MAX = 64 };

/* Returns the client behind `peer`. `forwarded` holds the values of all X-Forwarded-For lines in
 * order; they count only if the peer is in `trusted`. From the right, the first entry that is not a
 * trusted proxy is the client. An entry that is not an address (with or without a port) ends the
 * walk at the last trusted hop, and so does the 64th entry. Returns ADDRESS_UNIX for a unix peer
 * without a usable header: all such callers share one bucket. */
struct address client_address(
    const struct address *peer, const struct cidr_list *trusted, const struct str *forwarded,
    size_t forwarded_count);
