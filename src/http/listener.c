/* The listening socket; see listener.h. */
#include "http/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/disk.h"
#include "base/mem.h"
#include "http/bounds.h"

enum { BACKLOG = 4096, PORT_MAX = 65535 };

union listener_address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un local;
};

static enum err parse_port(struct str text, in_port_t *ret, struct fail *fail)
{
    int64_t port;
    if (!str_to_i64(text, &port) || port < 0 || port > PORT_MAX)
        return fail_set(fail, ERR_INVALID, "\"%.*s\" is not a port", STR_ARG(text));
    *ret = htons((uint16_t)port);
    return OK;
}

static enum err parse_tcp(
    struct str text, union listener_address *ret, socklen_t *ret_n, struct fail *fail)
{
    ptrdiff_t colon = -1;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == ':')
            colon = (ptrdiff_t)i;
    }
    if (colon < 0)
        return fail_set(
            fail, ERR_INVALID, "\"%.*s\" is neither ADDR:PORT nor unix:PATH", STR_ARG(text));
    struct str host = str_slice(text, 0, (size_t)colon);
    struct str port = str_slice(text, (size_t)colon + 1, text.n);
    bool bracketed = str_starts(host, STR("[")) && str_ends(host, STR("]"));
    if (bracketed)
        host = str_slice(host, 1, host.n - 1);

    char name[INET6_ADDRSTRLEN];
    if (host.n < sizeof name) {
        memcpy(name, host.p, host.n);
        name[host.n] = 0;
        memset(ret, 0, sizeof *ret);
        if (bracketed && inet_pton(AF_INET6, name, &ret->v6.sin6_addr) == 1) {
            ret->v6.sin6_family = AF_INET6;
            *ret_n = sizeof ret->v6;
            return parse_port(port, &ret->v6.sin6_port, fail);
        }
        if (!bracketed && inet_pton(AF_INET, name, &ret->v4.sin_addr) == 1) {
            ret->v4.sin_family = AF_INET;
            *ret_n = sizeof ret->v4;
            return parse_port(port, &ret->v4.sin_port, fail);
        }
    }
    return fail_set(
        fail, ERR_INVALID, "\"%.*s\" is not a numeric address (write IPv6 in brackets)",
        STR_ARG(host));
}

static char *print_tcp(int fd)
{
    union listener_address a;
    socklen_t n = sizeof a;
    char host[INET6_ADDRSTRLEN];
    BUF_SCOPED(text, 128);
    if (getsockname(fd, &a.any, &n) != 0)
        memset(&a, 0, sizeof a);
    if (a.any.sa_family == AF_INET6) {
        inet_ntop(AF_INET6, &a.v6.sin6_addr, host, sizeof host);
        buf_fmt(&text, "[%s]:%u", host, (unsigned)ntohs(a.v6.sin6_port));
    } else {
        inet_ntop(AF_INET, &a.v4.sin_addr, host, sizeof host);
        buf_fmt(&text, "%s:%u", host, (unsigned)ntohs(a.v4.sin_port));
    }
    char *copy = mem_strdup(buf_view(&text));
    return copy;
}

static int open_socket(int family)
{
    return socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
}

static enum err fail_errno(struct fail *fail, const char *what, const char *listen)
{
    return fail_set(fail, ERR_IO, "cannot %s %s: %s", what, listen, strerror(errno));
}

static enum err fail_in_use(struct fail *fail, const char *listen)
{
    return fail_set(
        fail, ERR_BUSY, "%s is in use: stop that program, or set STOCKACT_LISTEN", listen);
}

/* Inherited by accepted sockets. The kernel would let these buffers grow to megabytes, for a client
 * that requests much and reads nothing. */
static bool set_for_connections(int fd)
{
    int on = 1, send_buffer = HTTP_SEND_BUFFER, receive_buffer = HTTP_RECEIVE_BUFFER;
    return setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on) == 0 &&
           setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &send_buffer, sizeof send_buffer) == 0 &&
           setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer) == 0;
}

static enum err open_tcp(const char *text, struct listener *l, struct fail *fail)
{
    union listener_address a;
    socklen_t n = 0;
    TRY(parse_tcp(str_from(text), &a, &n, fail));
    l->fd = open_socket(a.any.sa_family);
    if (l->fd < 0)
        return fail_errno(fail, "make a socket for", text);
    int on = 1;
    if (setsockopt(l->fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        !set_for_connections(l->fd) || bind(l->fd, &a.any, n) != 0 || listen(l->fd, BACKLOG) != 0)
        return errno == EADDRINUSE ? fail_in_use(fail, text) : fail_errno(fail, "listen on", text);
    l->address = print_tcp(l->fd);
    return OK;
}

/* True if the socket accepts connections. Any error but a refused connection counts as true. */
static bool is_alive(const struct sockaddr_un *local)
{
    FD_CLOSED int fd = open_socket(AF_UNIX);
    if (fd < 0)
        return true;
    return connect(fd, (const struct sockaddr *)local, sizeof *local) == 0 || errno != ECONNREFUSED;
}

/* OK: there is nothing at the path, or a stale socket. */
static enum err check_path(const struct sockaddr_un *local, struct fail *fail)
{
    struct stat st;
    if (lstat(local->sun_path, &st) != 0)
        return OK;
    if (!S_ISSOCK(st.st_mode))
        return fail_set(
            fail, ERR_EXISTS, "%s is there already and is not a socket", local->sun_path);
    return is_alive(local) ? fail_in_use(fail, local->sun_path) : OK;
}

static enum err make_room(const struct sockaddr_un *local, struct fail *fail)
{
    TRY(check_path(local, fail));
    if (unlink(local->sun_path) != 0 && errno != ENOENT)
        return fail_errno(fail, "replace the socket", local->sun_path);
    return OK;
}

static enum err parse_unix(const char *path, struct sockaddr_un *ret, struct fail *fail)
{
    size_t n = strlen(path);
    *ret = (struct sockaddr_un){.sun_family = AF_UNIX};
    if (n == 0 || n >= sizeof ret->sun_path)
        return fail_set(
            fail, ERR_INVALID, "the path of a unix socket has 1 to %zu bytes",
            sizeof ret->sun_path - 1);
    memcpy(ret->sun_path, path, n);
    return OK;
}

static enum err open_unix(const char *path, struct listener *l, struct fail *fail)
{
    struct sockaddr_un local;
    TRY(parse_unix(path, &local, fail));
    TRY(make_room(&local, fail));
    l->fd = open_socket(AF_UNIX);
    if (l->fd < 0)
        return fail_errno(fail, "make a socket for", path);
    l->is_unix = true;
    if (bind(l->fd, (const struct sockaddr *)&local, sizeof local) != 0)
        return errno == EADDRINUSE ? fail_in_use(fail, path) : fail_errno(fail, "listen on", path);
    l->path = mem_strdup(str_from(path));
    struct stat st;
    if (stat(path, &st) == 0)
        l->inode = st.st_ino;
    /* No client can connect before listen, so none sees another mode. */
    if (chmod(path, 0660) != 0 || listen(l->fd, BACKLOG) != 0)
        return fail_errno(fail, "listen on", path);
    BUF_SCOPED(text, sizeof local.sun_path + 8);
    buf_fmt(&text, "unix:%s", path);
    l->address = mem_strdup(buf_view(&text));
    return OK;
}

/* The path of a unix socket; NULL: a TCP address. */
static const char *unix_path(const char *listen_on)
{
    static const struct str prefix = STR_INIT("unix:");
    return str_starts(str_from(listen_on), prefix) ? listen_on + prefix.n : NULL;
}

enum err listener_open(const char *listen_on, struct listener *ret, struct fail *fail)
{
    *ret = (struct listener){.fd = -1};
    const char *path = unix_path(listen_on);
    enum err err = path ? open_unix(path, ret, fail) : open_tcp(listen_on, ret, fail);
    if (err)
        listener_close(ret);
    return err;
}

enum err listener_check(const char *listen_on, struct fail *fail)
{
    struct listener listener;
    struct sockaddr_un local;
    const char *path = unix_path(listen_on);
    enum err err =
        path ? parse_unix(path, &local, fail) : listener_open(listen_on, &listener, fail);
    if (!err && path)
        err = check_path(&local, fail);
    else if (!err)
        listener_close(&listener);
    return err;
}

/* Drops attempts to connect instead of answering them: the client repeats the SYN and is refused
 * once the socket is closed. Without this filter, the kernel would accept a connection between the
 * last accept and the close, and then reset it. Accepted sockets may inherit the filter: they see
 * no SYN. */
static void drop_attempts(int fd)
{
    enum { FLAGS_AT = 13 }; /* in the TCP header, where a filter's bytes begin */
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_B | BPF_ABS, FLAGS_AT),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, TH_SYN, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, 0),
        BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
    };
    const struct sock_fprog filter = {.len = sizeof code / sizeof *code, .filter = code};
    setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter); /* best effort */
}

void listener_hide(struct listener *l)
{
    struct stat st;
    if (l->fd >= 0 && !l->is_unix)
        drop_attempts(l->fd);
    if (l->path && lstat(l->path, &st) == 0 && st.st_ino == l->inode)
        unlink(l->path);
    mem_free(l->path);
    l->path = NULL;
}

void listener_stop(struct listener *l)
{
    if (l->fd >= 0)
        close(l->fd);
    l->fd = -1;
}

void listener_close(struct listener *l)
{
    listener_hide(l);
    listener_stop(l);
    mem_free(l->address);
    l->address = NULL;
}
