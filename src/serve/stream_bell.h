/*
 * Wakes the streams of the HTTP server when the follower has applied changes. The follower starts
 * before that server and stops after it, so it goes through this bell. Private to src/serve.
 */
#pragma once

#include <pthread.h>

#include "http/server.h"

struct stream_bell {
    pthread_mutex_t lock;
    struct http_server *server; /* under lock; NULL: not running */
};

#define STREAM_BELL_INIT                                                                           \
    {                                                                                              \
        .lock = PTHREAD_MUTEX_INITIALIZER                                                          \
    }

/* NULL before the server is destroyed. */
void stream_bell_hang(struct stream_bell *bell, struct http_server *server);

/* From any thread. */
void stream_bell_ring(struct stream_bell *bell);
