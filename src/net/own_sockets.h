/*
 * The sockets that libcurl has for one client, so that a kept connection can be looked at before it
 * is used again: libcurl 7.88 takes whatever waits to be read on it, such as the 408 that proxies
 * send when nobody asks, for the answer to the next request.
 */
#pragma once

#include <curl/curl.h>
#include <stdbool.h>
#include <sys/queue.h>

struct own_socket;

LIST_HEAD(own_socket_list, own_socket);

struct own_sockets {
    struct own_socket_list list;
};

void own_sockets_init(struct own_sockets *s);
void own_sockets_finish(struct own_sockets *s); /* after libcurl has closed them */

/* As CURLOPT_OPENSOCKETFUNCTION and CURLOPT_CLOSESOCKETFUNCTION take them; ctx is the struct. */
curl_socket_t own_sockets_open(void *ctx, curlsocktype purpose, struct curl_sockaddr *address);
int own_sockets_close(void *ctx, curl_socket_t fd);

/* Whether the connection from this port of ours has something to be read, or has ended. */
bool own_sockets_has_news(const struct own_sockets *s, int port);
