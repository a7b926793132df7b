/*
 * The way of requests through a connection: head, body, application, reply, and the next one. The
 * states are those of conn.h; this file makes every change between HEAD, BODY, HANDLE, WRITE, and
 * from there to IDLE or LINGER.
 */
#pragma once

#include "http/conn.h"

/* Goes on as far as the bytes and the application allow. */
void serve_run(struct conn *c);

/* HEAD or BODY, and the deadline has passed: answers and goes on. */
void serve_refuse(struct conn *c, int status, const char *why);

/* HANDLE, and the application has kept the exchange too long: answers 503 in its place. */
void serve_abandon(struct conn *c);

/* The reply of its exchange is composed. Within a run it waits for the step that writes it. */
void serve_reply_ready(struct conn *c);
