/*
 * The addresses that webhooks may reach (decision 37): those of the public internet, and networks
 * that the operator names. Never this server's own listener, under any name.
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

/* `listening`: "ADDR:PORT" or "[ADDR]:PORT" with the real port, or "unix:PATH". */
void guard_init(struct guard *guard, const struct cidr_list *allow, struct str listening);

bool guard_may_connect(const struct guard *guard, const struct sockaddr *to);
