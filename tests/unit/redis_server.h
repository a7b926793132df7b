/* A private Redis on a free port, without persistence; or none if Redis is not installed. */
#pragma once

#include "unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

struct redis_server {
    pid_t pid;
    int port;
    const char *password; /* NULL: none */
    const char *clock;    /* file with the seconds that its clock is ahead; NULL: none */
};

static inline bool redis_server_installed(void)
{
    return access("/usr/bin/redis-server", X_OK) == 0 ||
           access("/usr/local/bin/redis-server", X_OK) == 0;
}

/* A listener on the loopback port, or on the name of a socket (in Linux's abstract namespace). */
static inline int redis_server_listen(const struct sockaddr *address, socklen_t size)
{
    int fd = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    if (bind(fd, address, size) == 0 && listen(fd, 1) == 0)
        return fd;
    close(fd);
    return -1;
}

/* As freePort of tests/e2e/lib/ports.mjs: outgoing connections get no such port, and no other
 * process that asks here or there, because this one holds a socket with the port's name. */
static inline int redis_server_free_port(void)
{
    enum { FIRST = 15000, COUNT = 17000 };
    for (;;) {
        uint32_t number;
        struct sockaddr_un name = {.sun_family = AF_UNIX};
        assert_int_equal(getrandom(&number, sizeof number, 0), sizeof number);
        int port = FIRST + (int)(number % COUNT);
        /* the name begins with a NUL byte */
        int n =
            snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "stockact-test-port-%d", port);
        socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
        int held = redis_server_listen((const struct sockaddr *)&name, size);
        if (held < 0)
            continue;
        struct sockaddr_in in = {
            .sin_family = AF_INET,
            .sin_port = htons((uint16_t)port),
            .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
        int fd = redis_server_listen((const struct sockaddr *)&in, sizeof in);
        if (fd >= 0) {
            close(fd);
            return port; /* `held` stays open until the process ends */
        }
        close(held);
    }
}

/* Reads the server's output until it is ready. */
static inline void redis_server_wait(int fd)
{
    char text[8192];
    size_t n = 0;
    for (;;) {
        struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
        assert_int_equal(poll(&poll_fd, 1, -1), 1);
        ssize_t got = read(fd, text + n, sizeof text - 1 - n);
        assert_true(got > 0);
        n += (size_t)got;
        text[n] = '\0';
        if (strstr(text, "eady to accept connections"))
            return;
        if (n > sizeof text / 2)
            n = 0;
    }
}

/* Port 0: a free one. */
static inline void redis_server_start(struct redis_server *server, int port)
{
    int fds[2];
    char port_text[16];
    server->port = port ? port : redis_server_free_port();
    snprintf(port_text, sizeof port_text, "%d", server->port);
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    server->pid = fork();
    assert_true(server->pid >= 0);
    if (server->pid == 0) {
        dup2(fds[1], 1);
        dup2(fds[1], 2);
        if (server->clock) {
            setenv("LD_PRELOAD", getenv("STOCKACT_REDIS_CLOCK"), 1);
            setenv("REDIS_CLOCK_FILE", server->clock, 1);
        }
        execlp(
            "redis-server", "redis-server", "--port", port_text, "--bind", "127.0.0.1", "--save",
            "", "--appendonly", "no", "--requirepass", server->password ? server->password : "",
            (char *)NULL);
        _exit(127);
    }
    close(fds[1]);
    redis_server_wait(fds[0]);
    close(fds[0]); /* it ignores SIGPIPE */
}

static inline void redis_server_kill(struct redis_server *server)
{
    if (!server->pid)
        return;
    kill(server->pid, SIGKILL);
    waitpid(server->pid, NULL, 0);
    server->pid = 0;
}
