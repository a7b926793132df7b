/* A server that acts only on calls of the test; see quiet_server.h. */
#include "quiet_server.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

void quiet_server_open(struct quiet_server *s)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    s->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    assert_true(s->fd >= 0);
    assert_int_equal(bind(s->fd, (const struct sockaddr *)&address, size), 0);
    assert_int_equal(getsockname(s->fd, (struct sockaddr *)&address, &size), 0);
    s->port = ntohs(address.sin_port);
}

void quiet_server_listen(struct quiet_server *s)
{
    assert_int_equal(listen(s->fd, 16), 0);
}

void quiet_server_close(struct quiet_server *s)
{
    close(s->fd);
}

int quiet_server_accept(struct quiet_server *s)
{
    return accept4(s->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

bool quiet_server_asked(int connection)
{
    char head[4096];
    ssize_t n = recv(connection, head, sizeof head, MSG_PEEK);
    if (n <= 0 || !memmem(head, (size_t)n, "\r\n\r\n", 4))
        return false;
    assert_int_equal(recv(connection, head, sizeof head, 0), n);
    return true;
}

void quiet_server_say(int connection, const char *text)
{
    size_t n = strlen(text);
    assert_int_equal(send(connection, text, n, MSG_NOSIGNAL), (ssize_t)n);
}
