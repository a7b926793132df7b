/* Connects to one of several hosts. Private to src/db. */
#pragma once

#include <libpq-fe.h>

/*
 * Like PQconnectdbParams, for a URL with several hosts. libpq tries the next host if one is
 * unreachable or does not satisfy target_session_attrs, but not if one accepts the connection and
 * closes it, as a balancer or a tunnel in front of a dead PostgreSQL does. In that case this
 * function tries the list again from the next host on.
 *
 * `values` are restored. Never returns NULL; PQstatus tells whether it is connected.
 */
PGconn *postgresql_connect(const char *const *keywords, const char **values);
