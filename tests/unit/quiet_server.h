/*
 * A server for tests of src/net/client.h and its users, on the test's own thread: it acts only when
 * the test calls it, between two waits of the client.
 */
#pragma once

#include "unit.h"

struct quiet_server {
    int fd; /* bound to a free port of 127.0.0.1; refuses until it listens */
    int port;
};

void quiet_server_open(struct quiet_server *s);
void quiet_server_listen(struct quiet_server *s);
void quiet_server_close(struct quiet_server *s);

/* Accepts the next connection; -1: none yet. */
int quiet_server_accept(struct quiet_server *s);

/* Returns true and consumes the request if a complete one has arrived. */
bool quiet_server_asked(int connection);
void quiet_server_say(int connection, const char *text);
