/*
 * Whose address a request comes from: X-Forwarded-For read from right to left through trusted
 * proxies (decision 25).
 */
#pragma once

#include "core/address.h"

enum { CLIENT_ADDRESS_HOPS_MAX = 64 };

/* The client behind `peer`. `forwarded` are the values of all X-Forwarded-For lines in order; they
 * count only when the peer is in `trusted`. From the right, the first entry that is not a trusted
 * proxy is the client; an entry that is no address (with or without port) ends the walk at the
 * last trusted hop, as does the 64th entry. ADDRESS_UNIX comes back for a unix peer that says
 * nothing usable: one bucket that all such callers share. */
struct address client_address(
    const struct address *peer, const struct cidr_list *trusted, const struct str *forwarded,
    size_t forwarded_count);
