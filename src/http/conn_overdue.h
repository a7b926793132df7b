/*
 * What a deadline that has passed means for a connection: a request that did not come whole gets
 * its 408, an application that keeps one its 503, a reader that is too slow and a client that asks
 * nothing are closed.
 */
#pragma once

#include "http/conn.h"

void conn_overdue(struct conn *c); /* its deadline is out of the list, with its kind kept */
