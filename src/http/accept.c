/* New connections; see accept.h. */
#include "http/accept.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/conn_run.h"

enum { REST_MAX = 8192 }; /* connections taken from the backlog when draining */

enum outcome { TAKEN, NOTHING, NO_DESCRIPTOR };

static void peer_of(const struct sockaddr_storage *from, struct http_peer *ret)
{
    *ret = (struct http_peer){0};
    if (from->ss_family == AF_INET6) {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)from;
        memcpy(ret->address, &v6->sin6_addr, 16);
        ret->port = ntohs(v6->sin6_port);
    } else if (from->ss_family == AF_INET) {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)from;
        ret->address[10] = ret->address[11] = 0xff;
        memcpy(ret->address + 12, &v4->sin_addr, 4);
        ret->port = ntohs(v4->sin_port);
    } else {
        ret->is_unix = true;
    }
}

static bool is_loopback(const struct http_peer *peer)
{
    static const uint8_t v6[16] = {[15] = 1};
    static const uint8_t v4[13] = {[10] = 0xff, [11] = 0xff, [12] = 127};
    return memcmp(peer->address, v6, sizeof v6) == 0 || memcmp(peer->address, v4, sizeof v4) == 0;
}

static bool is_bounded(const struct http_app *app, const struct http_peer *peer)
{
    if (peer->is_unix || is_loopback(peer))
        return false;
    return !app->unbounded_peer || !app->unbounded_peer(app->ctx, peer);
}

/* A client over a bound is closed without a response, which would cost what the bound protects. */
static void admit(struct loop *loop, int fd, const struct http_peer *peer)
{
    struct http_server *server = loop->server;
    if (atomic_fetch_add(&server->connections, 1) >= server->connections_max) {
        loop_count(loop, TALLY_REFUSED_FULL);
        atomic_fetch_sub(&server->connections, 1);
        close(fd);
        return;
    }
    bool bounded = is_bounded(server->app, peer);
    if (bounded && !peers_acquire(server->peers, peer->address)) {
        loop_count(loop, TALLY_REFUSED_ADDRESS);
        atomic_fetch_sub(&server->connections, 1);
        close(fd);
        return;
    }
    struct conn *c = conn_open(loop, fd, peer, bounded);
    if (c)
        conn_run_first(c);
    loop_count(loop, TALLY_ACCEPTED);
}

static enum outcome accept_one(struct loop *loop)
{
    struct sockaddr_storage from = {0};
    socklen_t n = sizeof from;
    int fd = accept4(
        loop->server->listener.fd, (struct sockaddr *)&from, &n, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
        struct http_peer peer;
        peer_of(&from, &peer);
        admit(loop, fd, &peer);
        return TAKEN;
    }
    switch (errno) {
    case EMFILE:
    case ENFILE:
    case ENOBUFS:
    case ENOMEM:
        return NO_DESCRIPTOR;
    case EAGAIN:
        return NOTHING;
    default: /* the client disconnected (accept(2) lists the errors that the network may cause) */
        return TAKEN;
    }
}

static void open_spare(struct loop *loop)
{
    if (loop->spare_fd < 0)
        loop->spare_fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

/* Uses the spare descriptor to turn one client away instead of letting it hang. */
static void turn_away(struct loop *loop)
{
    loop_count(loop, TALLY_REFUSED_DESCRIPTORS);
    if (loop->spare_fd < 0)
        return;
    close(loop->spare_fd);
    loop->spare_fd = -1;
    struct sockaddr_storage from;
    socklen_t n = sizeof from;
    int fd = accept4(loop->server->listener.fd, (struct sockaddr *)&from, &n, SOCK_CLOEXEC);
    if (fd >= 0)
        close(fd);
    open_spare(loop);
}

static void on_acceptable(uv_poll_t *poll, int status, int events)
{
    struct loop *loop = poll->data;
    for (int i = 0; i < HTTP_ACCEPT_BATCH; i++) {
        enum outcome outcome = accept_one(loop);
        if (outcome == NOTHING)
            return;
        if (outcome == NO_DESCRIPTOR) {
            turn_away(loop);
            uv_poll_stop(&loop->accept); /* level-triggered: it would spin */
            loop->accepting = false;
            return;
        }
    }
}

enum err accept_init(struct loop *loop, struct fail *fail)
{
    open_spare(loop);
    int error = uv_poll_init(&loop->uv, &loop->accept, loop->server->listener.fd);
    if (error)
        return fail_set(fail, ERR_IO, "cannot watch the listening socket: %s", uv_strerror(error));
    loop->accept.data = loop;
    accept_resume(loop);
    return OK;
}

void accept_resume(struct loop *loop)
{
    if (loop->accepting || loop->draining)
        return;
    open_spare(loop);
    loop->accepting = uv_poll_start(&loop->accept, UV_READABLE, on_acceptable) == 0;
}

void accept_rest(struct loop *loop, void (*closed)(uv_handle_t *accept))
{
    for (int i = 0; i < REST_MAX && accept_one(loop) == TAKEN; i++) {
    }
    uv_close((uv_handle_t *)&loop->accept, closed);
    loop->accepting = false;
}
