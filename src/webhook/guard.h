/*
 * The addresses and ports that webhooks may reach (decision 37): those of the public internet, and
 * networks that the operator names; no refused port, in an allowed network neither. Never this
 * server's own listener, under any name.
 */
#pragma once

#include <sys/socket.h>

#include "address/address.h"
#include "address/port_set.h"

struct guard {
    const struct cidr_list *allow;        /* borrowed */
    const struct port_set *refused_ports; /* borrowed */
    bool listens;                         /* on an address with a port; false: on a unix socket */
    bool everywhere;                      /* on every address of this machine */
    struct address address;
    uint16_t port;
};

/* `listening`: "ADDR:PORT" or "[ADDR]:PORT" with the real port, or "unix:PATH". */
void guard_init(
    struct guard *guard, const struct cidr_list *allow, const struct port_set *refused_ports,
    struct str listening);

/* ERR_REFUSED names the address or the port, and why it is refused. */
enum err guard_check(const struct guard *guard, const struct sockaddr *to, struct fail *fail);
enum err guard_check_port(const struct guard *guard, uint16_t port, struct fail *fail);

/* Of an address that is refused: it would not be if `allow` had its network. */
bool guard_would_allow(const struct guard *guard, const struct sockaddr *to);
