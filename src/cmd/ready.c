/* `stockact ready`: asks this machine's server whether it accepts requests (GET /readyz), for
 * container engines and scripts that have no HTTP client. It opens neither database nor files. */
#include <errno.h>
#include <netinet/in.h>
#include <arpa/inet.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/clock.h"
#include "cmd/commands.h"
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

/* Sends the request and reads the beginning of the status line, until the deadline. False: errno
 * says why; 0: the server closed the connection. */
static bool converse(int fd, const union peer *peer, socklen_t size, int64_t until_ms, char *line)
{
    static const char request[] =
        "GET /readyz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    if (!limit(fd, SO_SNDTIMEO, until_ms) || connect(fd, &peer->any, size) != 0 ||
        !limit(fd, SO_SNDTIMEO, until_ms) ||
        send(fd, request, sizeof request - 1, MSG_NOSIGNAL) < 0)
        return false;
    for (size_t n = 0; n < STATUS_LINE_SIZE;) {
        errno = 0;
        ssize_t got =
            limit(fd, SO_RCVTIMEO, until_ms) ? recv(fd, line + n, STATUS_LINE_SIZE - n, 0) : -1;
        if (got <= 0)
            return false;
        n += (size_t)got;
    }
    return true;
}

static const char *reason(int number)
{
    bool slow = number == EAGAIN || number == EINPROGRESS; /* the deadline */
    return slow     ? "it took longer than 3 seconds"
           : number ? strerror(number)
                    : "it closed the connection";
}

enum err cmd_ready(struct cmd *cmd, struct fail *fail)
{
    struct str listen = cmd->settings->listen;
    struct listen_address at;
    union peer peer;
    socklen_t size = value_listen(listen, &at) ? peer_of(&at, &peer) : 0;
    if (!size)
        return fail_set(
            fail, ERR_INVALID, "listen \"%.*s\" has port 0: set a fixed port", STR_ARG(listen));
    char line[STATUS_LINE_SIZE + 1] = {0};
    int64_t until_ms = clock_mono_ms() + ANSWER_MAX_MS;
    int fd = socket(peer.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool answered = fd >= 0 && converse(fd, &peer, size, until_ms, line);
    int number = errno;
    if (fd >= 0)
        close(fd);
    if (!answered)
        return fail_set(
            fail, ERR_UNAVAILABLE, "the server at %.*s does not answer: %s", STR_ARG(listen),
            reason(number));
    if (strcmp(line, "HTTP/1.1 503") == 0)
        return fail_set(
            fail, ERR_UNAVAILABLE, "the server at %.*s is starting or stopping", STR_ARG(listen));
    if (strcmp(line, "HTTP/1.1 200") != 0)
        return fail_set(fail, ERR_IO, "%.*s is not a stockact server", STR_ARG(listen));
    out_begin(cmd->out, OUT_BLOCK);
    out_str(cmd->out, "ready", listen);
    out_end(cmd->out);
    return OK;
}
