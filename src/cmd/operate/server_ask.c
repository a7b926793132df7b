/* One request over a socket; see server_ask.h. */
#include "cmd/operate/server_ask.h"

#include <errno.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/disk.h"
#include "config/values.h"

enum { ANSWER_MAX_MS = 3000, STATUS_LINE_SIZE = 12 }; /* "HTTP/1.1 200" */

union peer {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un local;
};

/* The address where a server that listens on `at` answers on this machine; its size. 0: `at` leaves
 * the port open. */
static socklen_t peer_of(const struct listen_address *at, union peer *ret)
{
    *ret = (union peer){.any.sa_family = AF_UNIX};
    if (!str_is_null(at->path)) {
        memcpy(ret->local.sun_path, at->path.p, at->path.n); /* LISTEN_PATH_MAX fits */
        return sizeof ret->local;
    }
    if (!at->port)
        return 0;
    char host[INET6_ADDRSTRLEN] = {0};
    memcpy(host, at->host.p, at->host.n < sizeof host ? at->host.n : sizeof host - 1);
    if (inet_pton(AF_INET, host, &ret->v4.sin_addr) == 1) {
        ret->v4.sin_family = AF_INET;
        ret->v4.sin_port = htons(at->port);
        if (ret->v4.sin_addr.s_addr == htonl(INADDR_ANY))
            ret->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        return sizeof ret->v4;
    }
    inet_pton(AF_INET6, host, &ret->v6.sin6_addr);
    ret->v6.sin6_family = AF_INET6;
    ret->v6.sin6_port = htons(at->port);
    if (IN6_IS_ADDR_UNSPECIFIED(&ret->v6.sin6_addr))
        ret->v6.sin6_addr = in6addr_loopback;
    return sizeof ret->v6;
}

/* Limits how long the next call of this kind waits: to the deadline. False: it has passed. */
static bool limit(int fd, int option, int64_t until_ms)
{
    int64_t left_ms = until_ms - clock_mono_ms();
    const struct timeval left = {.tv_sec = left_ms / 1000, .tv_usec = left_ms % 1000 * 1000};
    if (left_ms > 0)
        return setsockopt(fd, SOL_SOCKET, option, &left, sizeof left) == 0;
    errno = EAGAIN;
    return false;
}

/* Sends the request and reads the response to its end, until the deadline. False: errno says why;
 * 0: the server closed the connection. */
static bool converse(
    int fd, const union peer *peer, socklen_t size, struct str request, struct buf *b)
{
    char piece[16384];
    ssize_t got = 1;
    int64_t until_ms = clock_mono_ms() + ANSWER_MAX_MS;
    if (!limit(fd, SO_SNDTIMEO, until_ms) || connect(fd, &peer->any, size) != 0 ||
        !limit(fd, SO_SNDTIMEO, until_ms) || send(fd, request.p, request.n, MSG_NOSIGNAL) < 0)
        return false;
    while (got > 0 && !b->overflow) {
        errno = 0;
        got = limit(fd, SO_RCVTIMEO, until_ms) ? recv(fd, piece, sizeof piece, 0) : -1;
        buf_put(b, piece, got > 0 ? (size_t)got : 0);
    }
    return b->n >= STATUS_LINE_SIZE;
}

static const char *reason(int number)
{
    bool slow = number == EAGAIN || number == EINPROGRESS; /* the deadline */
    return slow     ? "it took longer than 3 seconds"
           : number ? strerror(number)
                    : "it closed the connection";
}

static enum server_state state_of(bool answered, int number, struct str response)
{
    if (answered)
        return str_starts(response, STR("HTTP/1.1 200"))   ? SERVER_READY
               : str_starts(response, STR("HTTP/1.1 503")) ? SERVER_LOADING
                                                           : SERVER_OTHER;
    return number == ECONNREFUSED || number == ENOENT ? SERVER_NONE : SERVER_SILENT;
}

enum server_state server_ask(
    const struct settings *settings, const char *path, struct buf *response,
    const char **ret_reason)
{
    struct listen_address at;
    union peer peer;
    BUF_SCOPED(request, SERVER_RESPONSE_SIZE_MAX);
    BUF_SCOPED(own, SERVER_RESPONSE_SIZE_MAX);
    struct buf *b = response ? response : &own;
    socklen_t size = value_listen(settings->listen, &at) ? peer_of(&at, &peer) : 0;
    *ret_reason = "it has no fixed port";
    if (!size)
        return SERVER_NOWHERE;
    buf_fmt(&request, "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", path);
    FD_CLOSED int fd = socket(peer.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool answered = fd >= 0 && converse(fd, &peer, size, buf_view(&request), b);
    int number = errno;
    *ret_reason = reason(number);
    return state_of(answered, number, buf_view(b));
}
