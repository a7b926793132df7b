/*
 * The least that can answer: one epoll loop that sends the same bytes for every request head it
 * reads, parsing nothing. What a server of ours costs above it is ours; what it costs itself is the
 * kernel's. A companion of script/bench, not part of the program: it trusts who connects.
 *
 *     build/bench/epoll_page RESPONSE    the whole answer, head and body, from a file
 *
 * Listens on a free port of 127.0.0.1 and prints the port.
 */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    RESPONSE_MAX = 1 << 20,
    REQUEST_MAX = 16 << 10,
    CONNECTIONS_MAX = 1024, /* descriptors above are closed at once */
    EVENTS = 256,
    BACKLOG = 1024,
};

/* What of the answer is still to be sent; 0 between requests. */
static struct {
    size_t unsent;
} connections[CONNECTIONS_MAX];

static char response[RESPONSE_MAX];
static size_t response_n;
static int poll_fd;

static void die(const char *what)
{
    perror(what);
    exit(EXIT_FAILURE);
}

static void read_response(const char *path)
{
    FILE *file = fopen(path, "re");
    if (!file)
        die(path);
    response_n = fread(response, 1, sizeof response, file);
    if (response_n == 0 || response_n == sizeof response) {
        fprintf(stderr, "epoll_page: %s is empty or too long\n", path);
        exit(EXIT_FAILURE);
    }
    fclose(file);
}

static int listen_anywhere(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t n = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *)&address, n) != 0 || listen(fd, BACKLOG) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &n) != 0)
        die("listen");
    printf("%u\n", ntohs(address.sin_port));
    fflush(stdout);
    return fd;
}

static void watch(int fd, int operation, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.fd = fd};
    if (epoll_ctl(poll_fd, operation, fd, &event) != 0)
        die("epoll_ctl");
}

static void accept_all(int listener)
{
    int fd, on = 1;
    while ((fd = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
        if (fd >= CONNECTIONS_MAX) {
            close(fd);
            continue;
        }
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        connections[fd].unsent = 0;
        watch(fd, EPOLL_CTL_ADD, EPOLLIN);
    }
}

/* False when the connection is of no use any more. */
static bool send_rest(int fd)
{
    size_t unsent = connections[fd].unsent;
    ssize_t n = send(fd, response + response_n - unsent, unsent, MSG_NOSIGNAL);
    if (n < 0 && errno != EAGAIN)
        return false;
    bool was_waiting = unsent < response_n;
    unsent -= n > 0 ? (size_t)n : 0;
    connections[fd].unsent = unsent;
    if (unsent > 0)
        watch(fd, EPOLL_CTL_MOD, EPOLLOUT);
    else if (was_waiting)
        watch(fd, EPOLL_CTL_MOD, EPOLLIN);
    return true;
}

/* A head is taken to come in one piece, as it does from wrk; what does not end like one is not
 * answered. */
static bool answer(int fd)
{
    static char request[REQUEST_MAX];
    ssize_t n = read(fd, request, sizeof request);
    if (n < 0)
        return errno == EAGAIN;
    if (n < 4 || memcmp(request + n - 4, "\r\n\r\n", 4) != 0)
        return false;
    connections[fd].unsent = response_n;
    return send_rest(fd);
}

static void serve(int listener)
{
    struct epoll_event events[EVENTS];
    watch(listener, EPOLL_CTL_ADD, EPOLLIN);
    for (;;) {
        int n = epoll_wait(poll_fd, events, EVENTS, -1);
        for (int i = 0; i < n; i++) {
            int fd = events[i].data.fd;
            if (fd == listener)
                accept_all(listener);
            else if (!(connections[fd].unsent ? send_rest(fd) : answer(fd)))
                close(fd);
        }
    }
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: epoll_page RESPONSE\n");
        return 2;
    }
    read_response(argv[1]);
    poll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (poll_fd < 0)
        die("epoll_create1");
    serve(listen_anywhere());
    return 0;
}
