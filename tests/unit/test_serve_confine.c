/* Access of a confined process. Each case runs in a child process, because confinement is final. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/db.h"
#include "net_kit.h"
#include "serve/serve_confine.h"

enum { CHILD_FINE = 0, CHILD_WRONG = 1, CHILD_NO_LANDLOCK = 2 };

static char inside[64], outside[64];

static int make_folders(void **state)
{
    snprintf(inside, sizeof inside, "/tmp/stockact-inside-XXXXXX");
    snprintf(outside, sizeof outside, "/tmp/stockact-outside-XXXXXX");
    return mkdtemp(inside) && mkdtemp(outside) ? 0 : -1;
}

static int remove_folders(void **state)
{
    return rmdir(inside) == 0 && rmdir(outside) == 0 ? 0 : -1;
}

static int exit_of(int (*child)(void))
{
    int status;
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        _exit(child());
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static struct confine_result confine_to_inside(bool write)
{
    const struct confine_path paths[] = {
        {inside, write}, {"/dev/null", true}, {"/no/such/folder", false}};
    return confine(
        &(const struct confine_needs){.paths = paths, .path_count = sizeof paths / sizeof *paths});
}

static bool can_make_file(const char *folder)
{
    char path[96];
    snprintf(path, sizeof path, "%s/file", folder);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (fd < 0)
        return false;
    close(fd);
    return unlink(path) == 0;
}

static int gives_up_dumps_and_privileges(void)
{
    struct rlimit core;
    struct confine_result result = confine_to_inside(true);
    bool gone = getrlimit(RLIMIT_CORE, &core) == 0 && core.rlim_cur == 0 && core.rlim_max == 0 &&
                prctl(PR_GET_DUMPABLE) == 0 && prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1;
    return gone && result.no_core_dumps && result.no_new_privileges ? CHILD_FINE : CHILD_WRONG;
}

static int writes_inside_only(void)
{
    if (confine_to_inside(true).landlock == 0)
        return CHILD_NO_LANDLOCK;
    bool null_works = open("/dev/null", O_WRONLY) >= 0;
    bool outside_refused = !can_make_file(outside) && errno == EACCES;
    bool passwords_refused = open("/etc/passwd", O_RDONLY) < 0 && errno == EACCES;
    return can_make_file(inside) && null_works && outside_refused && passwords_refused
               ? CHILD_FINE
               : CHILD_WRONG;
}

static int reads_without_writing(void)
{
    if (confine_to_inside(false).landlock == 0)
        return CHILD_NO_LANDLOCK;
    bool listed = open(inside, O_RDONLY | O_DIRECTORY) >= 0;
    return listed && !can_make_file(inside) ? CHILD_FINE : CHILD_WRONG;
}

static const char *file_in(const char *folder)
{
    static char path[96];
    snprintf(path, sizeof path, "%s/file", folder);
    return path;
}

static bool make_file(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, 0600);
    return fd >= 0 && close(fd) == 0;
}

static bool confine_server(const char *database)
{
    const struct settings settings = {.database = str_from(database), .listen = STR("127.0.0.1:0")};
    return serve_confine(&settings, STR_NULL).landlock > 0;
}

static int reads_files_named_by_the_url(void)
{
    char url[200];
    snprintf(url, sizeof url, "postgresql://h/d?sslrootcert=%s/file", inside);
    if (!make_file(file_in(inside)))
        return CHILD_WRONG;
    if (!confine_server(url))
        return CHILD_NO_LANDLOCK;
    return open(file_in(inside), O_RDONLY) >= 0 && !can_make_file(inside) &&
                   open(outside, O_RDONLY) < 0
               ? CHILD_FINE
               : CHILD_WRONG;
}

static int reads_files_named_by_the_environment(void)
{
    if (!make_file(file_in(inside)))
        return CHILD_WRONG;
    setenv("PGPASSFILE", file_in(inside), 1);
    if (!confine_server("postgresql://h/d"))
        return CHILD_NO_LANDLOCK;
    return open(file_in(inside), O_RDONLY) >= 0 ? CHILD_FINE : CHILD_WRONG;
}

/* CA certificates of rediss://, and those that OpenSSL reads instead of the system's. */
static int reads_certificates(void)
{
    struct settings settings = {.listen = STR("127.0.0.1:0"), .redis_ca_file = STR_NULL};
    char database[96];
    snprintf(database, sizeof database, "sqlite:%s/db", outside);
    settings.database = str_from(database);
    if (!make_file(file_in(inside)))
        return CHILD_WRONG;
    setenv("SSL_CERT_FILE", file_in(inside), 1);
    if (serve_confine(&settings, STR_NULL).landlock == 0)
        return CHILD_NO_LANDLOCK;
    return open(file_in(inside), O_RDONLY) >= 0 && !can_make_file(inside) ? CHILD_FINE
                                                                          : CHILD_WRONG;
}

static int reads_the_file_of_the_setting(void)
{
    struct settings settings = {.listen = STR("127.0.0.1:0")};
    char database[96];
    snprintf(database, sizeof database, "sqlite:%s/db", outside);
    settings.database = str_from(database);
    settings.redis_ca_file = str_from(file_in(inside));
    if (!make_file(file_in(inside)))
        return CHILD_WRONG;
    if (serve_confine(&settings, STR_NULL).landlock == 0)
        return CHILD_NO_LANDLOCK;
    return open(file_in(inside), O_RDONLY) >= 0 && !can_make_file(inside) ? CHILD_FINE
                                                                          : CHILD_WRONG;
}

/* SSL_CERT_DIR is a list. */
static int reads_every_folder_of_certificates(void)
{
    struct settings settings = {.listen = STR("127.0.0.1:0")};
    char database[96], folders[200];
    snprintf(database, sizeof database, "sqlite:%s/db", outside);
    snprintf(folders, sizeof folders, "/nonexistent::%s:/usr/lib", inside);
    settings.database = str_from(database);
    if (!make_file(file_in(inside)))
        return CHILD_WRONG;
    unsetenv("SSL_CERT_FILE");
    setenv("SSL_CERT_DIR", folders, 1);
    if (serve_confine(&settings, STR_NULL).landlock == 0)
        return CHILD_NO_LANDLOCK;
    return open(file_in(inside), O_RDONLY) >= 0 && !can_make_file(inside) ? CHILD_FINE
                                                                          : CHILD_WRONG;
}

static void confined_server_can_read_certificates(void **state)
{
    int (*const children[])(void) = {
        reads_certificates, reads_every_folder_of_certificates, reads_the_file_of_the_setting};
    for (size_t i = 0; i < sizeof children / sizeof *children; i++) {
        int status = exit_of(children[i]);
        unlink(file_in(inside));
        if (status == CHILD_NO_LANDLOCK)
            skip();
        assert_int_equal(status, CHILD_FINE);
    }
}

/* The database is a symbolic link in one folder to a file in another. */
static int writes_to_the_target_of_a_link(void)
{
    char link[96], url[120];
    snprintf(link, sizeof link, "%s/link", outside);
    snprintf(url, sizeof url, "sqlite:%s", link);
    if (!make_file(file_in(inside)) || symlink(file_in(inside), link) != 0)
        return CHILD_WRONG;
    if (!confine_server(url))
        return CHILD_NO_LANDLOCK;
    bool writable = open(link, O_RDWR) >= 0;
    return unlink(file_in(inside)) == 0 && can_make_file(inside) && unlink(link) == 0 && writable
               ? CHILD_FINE
               : CHILD_WRONG;
}

static void confined_server_can_open_its_database(void **state)
{
    if (db_check_built(STR("postgresql://"), NULL))
        skip(); /* it names the files */
    int (*const children[])(void) = {
        reads_files_named_by_the_url, reads_files_named_by_the_environment,
        writes_to_the_target_of_a_link};
    for (size_t i = 0; i < sizeof children / sizeof *children; i++) {
        int status = exit_of(children[i]);
        unlink(file_in(inside));
        if (status == CHILD_NO_LANDLOCK)
            skip();
        assert_int_equal(status, CHILD_FINE);
    }
}

/* True if the file does not exist or can be read. */
static bool can_read(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT;
    close(fd);
    return true;
}

/* Resolver configuration, CA certificates, sockets. */
static int calls_out(void)
{
    static const char *const files[] = {
        "/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/ssl/openssl.cnf",
        "/etc/ssl/certs/ca-certificates.crt"};
    const struct outgoing_config config = {.in_flight_max = 1, .idle_max = 1};
    struct receiver receiver = {.text = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"};
    struct outgoing *engine;
    struct call call = {0};
    uv_loop_t loop;
    char database[96], url[64];
    snprintf(database, sizeof database, "sqlite:%s/db", inside);
    if (!confine_server(database))
        return CHILD_NO_LANDLOCK;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (!can_read(files[i]))
            return CHILD_WRONG;
    uv_loop_init(&loop);
    receiver_open(&receiver, &loop, "127.0.0.1");
    if (outgoing_create(&loop, &config, &engine, NULL))
        return CHILD_WRONG;
    snprintf(url, sizeof url, "http://localhost:%d/", receiver.port);
    call_run(engine, &loop, &call, url);
    return call.status == 200 ? CHILD_FINE : CHILD_WRONG;
}

static void confined_server_can_connect_out(void **state)
{
    int status = exit_of(calls_out);
    if (status == CHILD_NO_LANDLOCK)
        skip();
    assert_int_equal(status, CHILD_FINE);
}

static void confined_process_has_no_core_dumps_and_no_new_privileges(void **state)
{
    assert_int_equal(exit_of(gives_up_dumps_and_privileges), CHILD_FINE);
}

static void confined_process_opens_only_listed_paths(void **state)
{
    int status = exit_of(writes_inside_only);
    if (status == CHILD_NO_LANDLOCK)
        skip(); /* the kernel has no Landlock */
    assert_int_equal(status, CHILD_FINE);
}

static void read_only_path_cannot_be_written(void **state)
{
    int status = exit_of(reads_without_writing);
    if (status == CHILD_NO_LANDLOCK)
        skip();
    assert_int_equal(status, CHILD_FINE);
}

/* --- rights of later kernels. Each case tries the access before and after the confinement, so that
 * it proves both: that the attempt is a real one, and that Landlock denies it. */

/* Prepared by the parent: what the child attacks. */
static struct sockaddr_in listener;
static struct sockaddr_un abstract_name;

static int tcp_connect(uint16_t port)
{
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = port, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int result = connect(fd, (const struct sockaddr *)&to, sizeof to) == 0 ? 0 : errno;
    close(fd);
    return result;
}

static int tcp_bind(uint16_t port)
{
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int result = bind(fd, (const struct sockaddr *)&to, sizeof to) == 0 ? 0 : errno;
    close(fd);
    return result;
}

static int try_connect(void)
{
    return tcp_connect(listener.sin_port);
}

static int try_bind(void)
{
    return tcp_bind(0);
}

static int try_abstract_socket(void)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int result =
        connect(fd, (const struct sockaddr *)&abstract_name, sizeof abstract_name) == 0 ? 0 : errno;
    close(fd);
    return result;
}

static int try_signal(void)
{
    return kill(getppid(), 0) == 0 ? 0 : errno;
}

/* By path: the folder may be written by the first version, which knows no truncation. */
static int try_truncate(void)
{
    return truncate(file_in(outside), 0) == 0 ? 0 : errno;
}

/* /dev/null may be opened, and has no such command: ENOTTY from the device. */
static int try_device(void)
{
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC), size;
    int result = ioctl(fd, FIONREAD, &size) == 0 ? 0 : errno;
    close(fd);
    return result == ENOTTY ? 0 : result;
}

static const struct {
    enum confine_right right;
    const char *name;
    int (*attempt)(void); /* 0: it had access; otherwise errno */
    int denied;
} later[] = {
    {CONFINE_TRUNCATE, "truncate", try_truncate, EACCES},
    {CONFINE_TCP_BIND, "tcp_bind", try_bind, EACCES},
    {CONFINE_TCP_CONNECT, "tcp_connect", try_connect, EACCES},
    {CONFINE_DEVICES, "devices", try_device, EACCES},
    {CONFINE_ABSTRACT_SOCKETS, "abstract_sockets", try_abstract_socket, EPERM},
    {CONFINE_SIGNALS, "signals", try_signal, EPERM},
};

enum { LATER_COUNT = sizeof later / sizeof *later };

static size_t later_tried;

static int denies_one(void)
{
    const struct confine_path paths[] = {{inside, true}, {"/dev/null", true}};
    if (later[later_tried].attempt() != 0)
        return CHILD_WRONG;
    struct confine_result result = confine(
        &(const struct confine_needs){.paths = paths, .path_count = sizeof paths / sizeof *paths});
    if (!confine_has(&result, later[later_tried].right))
        return CHILD_NO_LANDLOCK;
    return later[later_tried].attempt() == later[later_tried].denied ? CHILD_FINE : CHILD_WRONG;
}

/* Listening sockets outside the child's confinement. */
static void listen_outside(int ret_fds[2])
{
    socklen_t size = sizeof listener;
    listener =
        (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    abstract_name = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(
        abstract_name.sun_path + 1, sizeof abstract_name.sun_path - 1, "stockact-%d",
        (int)getpid());
    ret_fds[0] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ret_fds[1] = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(ret_fds[0], (struct sockaddr *)&listener, size), 0);
    assert_int_equal(listen(ret_fds[0], 16), 0);
    assert_int_equal(getsockname(ret_fds[0], (struct sockaddr *)&listener, &size), 0);
    assert_int_equal(bind(ret_fds[1], (struct sockaddr *)&abstract_name, sizeof abstract_name), 0);
    assert_int_equal(listen(ret_fds[1], 16), 0);
}

static void rights_of_later_kernels_are_denied(void **state)
{
    struct utsname kernel;
    int fds[2];
    listen_outside(fds);
    assert_true(make_file(file_in(outside)));
    uname(&kernel);
    for (later_tried = 0; later_tried < LATER_COUNT; later_tried++) {
        int status = exit_of(denies_one);
        if (status == CHILD_NO_LANDLOCK)
            print_message(
                "# Linux %s does not control %s\n", kernel.release, later[later_tried].name);
        else if (status != CHILD_FINE)
            fail_msg("%s: status %d", later[later_tried].name, status);
    }
    unlink(file_in(outside));
    close(fds[0]);
    close(fds[1]);
}

/* The server binds to its port and to free ones, and connects to any. It signals nobody outside. */
static int server_keeps_what_it_needs(void)
{
    struct settings settings = {.database = STR("sqlite:x.db"), .listen = STR("127.0.0.1:23456")};
    char database[96];
    snprintf(database, sizeof database, "sqlite:%s/db", inside);
    settings.database = str_from(database);
    struct confine_result result = serve_confine(&settings, STR_NULL);
    if (!confine_has(&result, CONFINE_SIGNALS))
        return CHILD_NO_LANDLOCK;
    int own = tcp_bind(23456);
    bool binds = (own == 0 || own == EADDRINUSE) && tcp_bind(0) == 0;
    bool connects = try_connect() == 0;
    bool shrinks = make_file(file_in(inside)) && truncate(file_in(inside), 0) == 0 &&
                   unlink(file_in(inside)) == 0;
    bool confined = tcp_bind(23457) == EACCES && try_signal() == EPERM &&
                    try_abstract_socket() == EPERM && try_device() == EACCES;
    return binds && connects && shrinks && confined && kill(getpid(), 0) == 0 ? CHILD_FINE
                                                                              : CHILD_WRONG;
}

/* PostgreSQL behind an abstract socket stays reachable. */
static int server_reaches_an_abstract_socket(void)
{
    setenv("PGHOST", "@stockact", 1);
    if (!confine_server("postgresql:///d"))
        return CHILD_NO_LANDLOCK;
    return try_abstract_socket() == 0 ? CHILD_FINE : CHILD_WRONG;
}

/* A service file may name one, and only the connection reads it. */
static int server_reaches_the_socket_of_a_service(void)
{
    unsetenv("PGHOST");
    if (!confine_server("postgresql:///d?service=stockact"))
        return CHILD_NO_LANDLOCK;
    return try_abstract_socket() == 0 ? CHILD_FINE : CHILD_WRONG;
}

static void confined_server_keeps_its_port_and_its_files(void **state)
{
    int fds[2], abstract = CHILD_FINE, service = CHILD_FINE;
    listen_outside(fds);
    int status = exit_of(server_keeps_what_it_needs);
    if (!db_check_built(STR("postgresql://"), NULL)) {
        abstract = exit_of(server_reaches_an_abstract_socket);
        service = exit_of(server_reaches_the_socket_of_a_service);
    }
    close(fds[0]);
    close(fds[1]);
    if (status == CHILD_NO_LANDLOCK)
        skip();
    assert_int_equal(status, CHILD_FINE);
    assert_int_equal(abstract, CHILD_FINE);
    assert_int_equal(service, CHILD_FINE);
}

static void rights_in_force_are_named(void **state)
{
    const struct confine_result some = {
        .rights = 1u << CONFINE_FILES | 1u << CONFINE_TCP_BIND | 1u << CONFINE_SIGNALS};
    struct buf b;
    buf_init(&b, 100);
    confine_rights_put(&b, &some);
    assert_str(buf_view(&b), "files tcp_bind signals");
    buf_reset(&b);
    confine_rights_put(&b, &(const struct confine_result){0});
    assert_int_equal(buf_view(&b).n, 0);
    buf_finish(&b);
}

int main(void)
{
#define CONFINE_TEST(name) cmocka_unit_test_setup_teardown(name, make_folders, remove_folders)
    const struct CMUnitTest tests[] = {
        CONFINE_TEST(confined_process_has_no_core_dumps_and_no_new_privileges),
        CONFINE_TEST(confined_process_opens_only_listed_paths),
        CONFINE_TEST(read_only_path_cannot_be_written),
        CONFINE_TEST(confined_server_can_open_its_database),
        CONFINE_TEST(confined_server_can_connect_out),
        CONFINE_TEST(confined_server_can_read_certificates),
        CONFINE_TEST(rights_of_later_kernels_are_denied),
        CONFINE_TEST(confined_server_keeps_its_port_and_its_files),
        cmocka_unit_test(rights_in_force_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
