/* Connects to one of several hosts. Private to src/store. */
#pragma once

#include <libpq-fe.h>

/*
 * As PQconnectdbParams, for an address with several hosts. libpq itself goes on to the next host if
 * one cannot be reached or does not accept what target_session_attrs asks for. It does not if one
 * accepts the connection and closes it, as a balancer or a tunnel in front of a dead PostgreSQL
 * does. Then this tries the list again from the next host on.
 *
 * `values` are restored. Never NULL; PQstatus tells whether it is connected.
 */
PGconn *postgresql_connect(const char *const *keywords, const char **values);
