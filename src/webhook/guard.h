/*
 * Where webhooks may go (decision 37): to addresses of the public internet, and to networks that
 * the operator names. Never to this server's own listener, whoever names it.
 */
#pragma once

#include <sys/socket.h>

#include "core/address.h"

struct guard {
    const struct cidr_list *allow; /* borrowed */
    bool listens;                  /* on an address with a port; false: on a unix socket */
    bool everywhere;               /* on every address of this machine */
    struct address address;
    uint16_t port;
};

/* `listening`: "ADDR:PORT", "[ADDR]:PORT" with the true port, or "unix:PATH". */
void guard_init(struct guard *guard, const struct cidr_list *allow, struct str listening);

bool guard_may_connect(const struct guard *guard, const struct sockaddr *to);
