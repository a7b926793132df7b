#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "http/listener.h"

static char folder[] = "/tmp/stockact-listener-XXXXXX";
static char path[64], address[80];

static int start(void **state)
{
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/socket", folder);
    snprintf(address, sizeof address, "unix:%s", path);
    return 0;
}

static int stop(void **state)
{
    unlink(path);
    return rmdir(folder);
}

static void port_0_becomes_real_port(void **state)
{
    struct listener a, b;
    struct fail fail;
    assert_int_equal(listener_open("127.0.0.1:0", &a, &fail), OK);
    assert_true(str_starts(str_from(a.address), STR("127.0.0.1:")));
    assert_string_not_equal(a.address, "127.0.0.1:0");
    assert_int_equal(listener_open(a.address, &b, &fail), ERR_BUSY);
    assert_non_null(strstr(fail.text, "is in use: stop that program, or set STOCKACT_LISTEN"));
    assert_non_null(strstr(fail.text, a.address));
    listener_close(&a);
}

static void ipv6_is_written_in_brackets(void **state)
{
    struct listener l;
    struct fail fail;
    if (listener_open("[::1]:0", &l, &fail) != OK) {
        print_message("no IPv6 on this machine: %s\n", fail.text);
        skip();
    }
    assert_true(str_starts(str_from(l.address), STR("[::1]:")));
    listener_close(&l);
}

static void invalid_database_url_is_refused(void **state)
{
    static const char *const bad[] = {
        "",         "8080",  ":8080",       "127.0.0.1",       "127.0.0.1:",     "127.0.0.1:x",
        "::1:8080", "[::1]", "[::1]:65536", "[127.0.0.1]:1",   "localhost:8080", "127.0.0.1:-1",
        "1.2.3:80", "unix:", "[::1%lo]:80", "127.0.0.1:70000",
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct listener l;
        struct fail fail = {0};
        if (listener_open(bad[i], &l, &fail) != ERR_INVALID)
            fail_msg("\"%s\" is taken for an address", bad[i]);
        assert_true(fail.text[0] != 0);
    }
}

static void oversized_path_is_refused(void **state)
{
    char text[300] = "unix:";
    struct listener l;
    struct fail fail;
    memset(text + 5, 'p', 200);
    assert_int_equal(listener_open(text, &l, &fail), ERR_INVALID);
}

static void unix_socket_allows_owner_and_group_and_is_unlinked_with_listener(void **state)
{
    struct listener l;
    struct fail fail;
    struct stat st;
    assert_int_equal(listener_open(address, &l, &fail), OK);
    assert_string_equal(l.address, address);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0660);
    listener_close(&l);
    assert_int_not_equal(stat(path, &st), 0);
}

static void stale_socket_is_replaced(void **state)
{
    struct sockaddr_un a = {.sun_family = AF_UNIX};
    struct listener l;
    struct fail fail;
    memcpy(a.sun_path, path, strlen(path));
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&a, sizeof a), 0);
    close(fd);
    assert_int_equal(listener_open(address, &l, &fail), OK);
    listener_close(&l);
}

static void active_socket_is_left_alone(void **state)
{
    struct listener l, second;
    struct fail fail;
    struct stat st;
    assert_int_equal(listener_open(address, &l, &fail), OK);
    assert_int_equal(listener_open(address, &second, &fail), ERR_BUSY);
    assert_non_null(strstr(fail.text, path));
    assert_int_equal(stat(path, &st), 0);
    listener_close(&l);
}

static void file_is_never_replaced(void **state)
{
    struct listener l;
    struct fail fail;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fclose(file);
    assert_int_equal(listener_open(address, &l, &fail), ERR_EXISTS);
    assert_int_equal(unlink(path), 0);
}

static void successor_socket_is_not_removed(void **state)
{
    struct listener first, second;
    struct fail fail;
    struct stat st;
    assert_int_equal(listener_open(address, &first, &fail), OK);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(listener_open(address, &second, &fail), OK);
    listener_close(&first);
    assert_int_equal(stat(path, &st), 0);
    listener_close(&second);
}

static void check_opens_nothing_and_finds_a_taken_address(void **state)
{
    struct listener l;
    struct fail fail;
    assert_int_equal(listener_check("127.0.0.1:0", &fail), OK);
    assert_int_equal(listener_open("127.0.0.1:0", &l, &fail), OK);
    assert_int_equal(listener_check(l.address, &fail), ERR_BUSY);
    listener_close(&l);
    assert_int_equal(listener_check(address, &fail), OK);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(listener_open(address, &l, &fail), OK);
    assert_int_equal(listener_check(address, &fail), ERR_BUSY);
    listener_close(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(port_0_becomes_real_port),
        cmocka_unit_test(ipv6_is_written_in_brackets),
        cmocka_unit_test(invalid_database_url_is_refused),
        cmocka_unit_test(oversized_path_is_refused),
        cmocka_unit_test(unix_socket_allows_owner_and_group_and_is_unlinked_with_listener),
        cmocka_unit_test(stale_socket_is_replaced),
        cmocka_unit_test(active_socket_is_left_alone),
        cmocka_unit_test(file_is_never_replaced),
        cmocka_unit_test(successor_socket_is_not_removed),
        cmocka_unit_test(check_opens_nothing_and_finds_a_taken_address),
    };
    return cmocka_run_group_tests(tests, start, stop);
}
