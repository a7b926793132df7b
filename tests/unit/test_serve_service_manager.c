/* The message to systemd when the server answers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "unit.h"

#include "serve/service_manager.h"

/* A socket that receives as systemd's does; `name` as in NOTIFY_SOCKET. */
static int open_receiver(const char *name)
{
    struct sockaddr_un at = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
    size_t n = strlen(name);
    memcpy(at.sun_path, name, n);
    if (name[0] == '@')
        at.sun_path[0] = '\0';
    assert_int_equal(
        bind(fd, (struct sockaddr *)&at, (socklen_t)(offsetof(struct sockaddr_un, sun_path) + n)),
        0);
    return fd;
}

static void assert_told(const char *name)
{
    char got[32] = "";
    int fd = open_receiver(name);
    setenv("NOTIFY_SOCKET", name, 1);
    service_manager_tell("READY=1");
    assert_int_equal(recv(fd, got, sizeof got - 1, MSG_DONTWAIT), strlen("READY=1"));
    assert_string_equal(got, "READY=1");
    close(fd);
}

static void a_socket_with_a_path_is_told(void **state)
{
    char folder[] = "/tmp/stockact-notify-XXXXXX", name[64];
    assert_non_null(mkdtemp(folder));
    snprintf(name, sizeof name, "%s/socket", folder);
    assert_told(name);
    unlink(name);
    rmdir(folder);
}

static void an_abstract_socket_is_told(void **state)
{
    char name[64];
    snprintf(name, sizeof name, "@stockact-notify-%ld", (long)getpid());
    assert_told(name);
}

static void nothing_is_told_without_a_socket(void **state)
{
    static const char *const names[] = {"", "/", "relative", "/nowhere/stockact-notify"};
    unsetenv("NOTIFY_SOCKET");
    service_manager_tell("READY=1");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        setenv("NOTIFY_SOCKET", names[i], 1);
        service_manager_tell("READY=1");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_socket_with_a_path_is_told),
        cmocka_unit_test(an_abstract_socket_is_told),
        cmocka_unit_test(nothing_is_told_without_a_socket),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
