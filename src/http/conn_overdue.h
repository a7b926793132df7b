/*
 * What happens when a connection's deadline expires: an incomplete request gets 408, a request that
 * the application keeps too long gets 503, and slow readers and idle clients are closed.
 */
#pragma once

#include "http/conn.h"

void conn_overdue(struct conn *c); /* its deadline is out of the list, with its kind kept */
