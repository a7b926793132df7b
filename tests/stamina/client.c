/* Connections of the load driver: opening, sending, and epoll events. */
#include "run.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { READ_SIZE = 64 * 1024, SMALL_BUFFER = 1024, PER_OCTET = 250 };

int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

const struct behaviour *behaviour_of(enum kind kind)
{
    return kind < IDLE ? &good_behaviour[kind] : &bad_behaviour[kind - IDLE];
}

static void must(bool ok, const char *what)
{
    if (ok)
        return;
    perror(what);
    exit(2);
}

/* 127.(16 + kind).x.y, so that each client has its own address. */
static struct sockaddr_in source_of(const struct client *c)
{
    uint32_t address = 127u << 24 | (16u + c->kind) << 16 | (c->number / PER_OCTET & 255) << 8 |
                       (1 + c->number % PER_OCTET);
    return (struct sockaddr_in){.sin_family = AF_INET, .sin_addr = {htonl(address)}};
}

static void watch(struct run *run, struct client *c, int operation, uint32_t events)
{
    struct epoll_event event = {.events = events, .data.ptr = c};
    must(epoll_ctl(run->epoll, operation, c->fd, &event) == 0, "epoll_ctl");
}

void client_free(struct run *run, struct client *c)
{
    c->next_free = run->free[c->kind];
    run->free[c->kind] = c;
}

struct client *client_take_free(struct run *run, enum kind kind)
{
    struct client *c = run->free[kind];
    if (c)
        run->free[kind] = c->next_free;
    return c;
}

static void connected(struct run *run, struct client *c)
{
    const struct behaviour *behaviour = behaviour_of(c->kind);
    c->connecting = false;
    run->tallies[c->kind].opened++;
    watch(run, c, EPOLL_CTL_MOD, behaviour->deaf ? 0 : EPOLLIN);
    behaviour->connected(run, c);
}

static void refused(struct run *run, struct client *c)
{
    run->tallies[c->kind].refused++;
    client_close(run, c);
    if (c->due_ns != 0)
        run->under_way--;
    c->due_ns = 0;
    if (c->kind == GOOD)
        c->retired = run->options.until_refused;
    else if (behaviour_of(c->kind)->begin)
        client_free(run, c);
}

void client_open(struct run *run, struct client *c)
{
    struct sockaddr_in source = source_of(c);
    int on = 1, small = SMALL_BUFFER;
    c->fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    must(c->fd >= 0, "socket");
    setsockopt(c->fd, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    if (c->kind == SLOW_READ || c->kind == UNREAD)
        setsockopt(c->fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small);
    must(bind(c->fd, (const struct sockaddr *)&source, sizeof source) == 0, "bind");
    answer_init(&c->answer);
    c->last_status = 0;
    c->connecting = true;
    watch(run, c, EPOLL_CTL_ADD, EPOLLOUT);
    const struct sockaddr_in *server = &run->options.server;
    if (connect(c->fd, (const struct sockaddr *)server, sizeof *server) != 0 &&
        errno != EINPROGRESS)
        refused(run, c);
}

void client_close(struct run *run, struct client *c)
{
    if (c->fd >= 0)
        close(c->fd); /* also removes it from the epoll set */
    c->fd = -1;
    c->connecting = false;
}

/* Requests fit into the socket, unless the connection has ended. */
void client_send(struct run *run, struct client *c, const char *p, size_t n)
{
    if (send(c->fd, p, n, MSG_NOSIGNAL) != (ssize_t)n)
        client_ended(run, c, END_RESET);
}

void client_ended(struct run *run, struct client *c, enum end end)
{
    behaviour_of(c->kind)->ended(run, c, end);
}

static void read_some(struct run *run, struct client *c)
{
    static char bytes[READ_SIZE];
    ssize_t n = recv(c->fd, bytes, sizeof bytes, 0);
    if (n > 0)
        behaviour_of(c->kind)->read(run, c, bytes, (size_t)n);
    else if (n == 0)
        client_ended(run, c, END_CLOSED);
    else if (errno != EAGAIN)
        client_ended(run, c, END_RESET);
}

void client_event(struct run *run, struct client *c, uint32_t events)
{
    if (c->fd < 0)
        return; /* closed by an earlier event of the same wake-up */
    if (c->connecting) {
        int error = 0;
        socklen_t n = sizeof error;
        getsockopt(c->fd, SOL_SOCKET, SO_ERROR, &error, &n);
        if (error)
            refused(run, c);
        else
            connected(run, c);
    } else if (behaviour_of(c->kind)->deaf) {
        client_ended(run, c, END_RESET); /* epoll reports errors and ends in any case */
    } else {
        read_some(run, c);
    }
}
