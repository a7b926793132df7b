/*
 * Sets of TCP ports, and the ports that webhooks do not use unless the operator allows it (decision
 * 37): those of services that are not web servers. Such a service can take an HTTP request for
 * commands of its own.
 */
#pragma once

#include "base/err.h"
#include "base/str.h"

enum { PORT_SET_WORDS = 65536 / 64 };

struct port_set {
    uint64_t bits[PORT_SET_WORDS];
};

bool port_set_has(const struct port_set *set, uint16_t port);

/* Ports and ranges between commas or spaces, applied in order: `25`, `6660-6669`, `default` for the
 * table below. A minus takes ports out again: `default,-9200`. The empty set is `none` alone: no
 * slip gives it. The error names the invalid entry. */
enum err port_set_parse(struct str text, struct port_set *ret, struct fail *fail);

struct port_service {
    uint16_t from, to;
    const char *name;
};

/* The service of a port that `default` has; NULL: the port is not in it. */
const struct port_service *port_service_of(uint16_t port);
/* The whole table, for tests, in the order of ports. */
const struct port_service *port_services(size_t *ret_count);
