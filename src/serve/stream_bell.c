/* Wakes streams; see stream_bell.h. */
#include "serve/stream_bell.h"

void stream_bell_hang(struct stream_bell *bell, struct http_server *server)
{
    pthread_mutex_lock(&bell->lock);
    bell->server = server;
    pthread_mutex_unlock(&bell->lock);
}

void stream_bell_ring(struct stream_bell *bell)
{
    pthread_mutex_lock(&bell->lock);
    if (bell->server)
        http_server_wake_streams(bell->server);
    pthread_mutex_unlock(&bell->lock);
}
