/* A private Redis on a free port, without persistence; or none if Redis is not installed. */
#pragma once

#include "unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
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

static inline int redis_server_free_port(void)
{
    struct sockaddr_in in = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof in;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&in, size), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&in, &size), 0);
    close(fd);
    return ntohs(in.sin_port);
}

/* Reads the server's output until it is ready. */
static inline void redis_server_wait(int fd)
{
    char text[8192];
    size_t n = 0;
    for (;;) {
        struct pollfd poll_fd = {.fd = fd, .events = POLLIN};
        assert_int_equal(poll(&poll_fd, 1, 10000), 1);
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
