/*
 * The way of requests through a connection: bytes, head, body, application, reply, and the next
 * one. The states are those of conn.h; conn_run.c makes every change but the one to CLOSED.
 */
#pragma once

#include "http/conn.h"

/* A connection that was just opened: waits for its first request. */
void conn_run_first(struct conn *c);

/* HEAD or BODY, and the deadline has passed: answers and goes on. */
void conn_run_refuse(struct conn *c, int status, const char *why);

/* HANDLE, and the application has kept the exchange too long: answers 503 in its place. */
void conn_run_abandon(struct conn *c);

/* The reply of its exchange is composed. Within a run it waits for the step that writes it. */
void conn_run_reply_ready(struct conn *c);
