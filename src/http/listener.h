/*
 * The one listening socket, from an address as people write it.
 *
 *     127.0.0.1:8080    [::1]:8080    0.0.0.0:0 (any free port)    unix:/run/stockact.sock
 *
 * A unix socket has mode 0660. A stale socket at the path is replaced; a socket in use, or a file
 * that is not a socket, is an error.
 */
#pragma once

#include <sys/types.h>

#include "base/buf.h"
#include "base/err.h"

struct listener {
    int fd;
    bool is_unix;
    char *path;    /* of a unix socket, until it is unlinked */
    ino_t inode;   /* of that path: another process's socket is left alone */
    char *address; /* in the form above, with the real port */
};

enum err listener_open(const char *listen, struct listener *ret, struct fail *fail);

/* Whether listener_open would get the address now. ERR_BUSY: another socket has it. Changes nothing
 * at the path of a unix socket. */
enum err listener_check(const char *listen, struct fail *fail);

/* Keeps out new clients: unlinks a unix socket, makes a TCP socket drop new SYNs. Connections in
 * the backlog can still be accepted. */
void listener_hide(struct listener *listener);
void listener_stop(struct listener *listener);  /* closes the socket; the address stays */
void listener_close(struct listener *listener); /* both, and frees; may be called again */
