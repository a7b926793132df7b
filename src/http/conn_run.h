/*
 * The path of requests through a connection: bytes, head, body, application, reply, next request.
 * The states are those of conn.h; conn_run.c makes every transition except the one to CLOSED.
 */
#pragma once

#include "http/conn.h"

/* A connection that was just opened: waits for its first request. */
void conn_run_first(struct conn *c);

/* HEAD or BODY with an expired deadline: reads what has arrived by now, and no more. True: the
 * head or the body that it was for is whole, or the connection is closed. */
bool conn_run_arrived(struct conn *c);

/* HEAD or BODY with an expired deadline: answers and continues. */
void conn_run_refuse(struct conn *c, int status, const char *why);

/* HANDLE, and the application kept the exchange too long: answers 503 instead. */
void conn_run_abandon(struct conn *c);

/* STREAM, complete and without its exchange. */
void conn_run_linger(struct conn *c);

/* The reply of its exchange is complete, or a stream begins. Within a run it waits for the step
 * that writes it. */
void conn_run_reply_ready(struct conn *c);
