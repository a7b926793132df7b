/*
 * The body of a connection's request: whether it may come, where it is kept, and the bytes when it
 * is whole. Private to src/http.
 */
#pragma once

#include "http/conn.h"

/* The head is whole. Returns 0, or the status of a refusal and its reason. A large body is counted
 * until the exchange ends: a client that sends it slowly holds its memory. */
int conn_body_admit(struct conn *c, const char **ret_why);

/* After framing_begin. */
void conn_body_begin(struct http_exchange *x);

/* The body is whole: sets it in the request. Returns 0, or the status of a refusal. */
int conn_body_end(struct http_exchange *x, const char **ret_why);
