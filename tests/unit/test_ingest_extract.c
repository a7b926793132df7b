/*
 * What a child that reads a document cannot do. This program is its own helper: it starts itself as
 * the extraction helper, and its senate_page_read, which takes the place of the reader's, does in
 * the confined child what the page says. Whatever a child does, the next document is read.
 */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ingest/extract_parts.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define INSTRUMENTED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define INSTRUMENTED 1
#endif
#endif
#ifndef INSTRUMENTED
#define INSTRUMENTED 0
#endif

enum { SHORT_MS = 3000, SHORT_CPU_S = 1, GIGABYTE = 1 << 30 };

/* A file that nobody may touch; the page tells the child its path. */
static char canary[64];

/* --- calls that a filter must refuse */

struct call {
    const char *name;
    long number;
    uintptr_t argument[4];
};

#define TEXT(literal) ((uintptr_t)(literal))

static const struct call refused_to_all[] = {
    {"socket", SYS_socket, {AF_INET, SOCK_STREAM, 0}},
    {"socket, unix", SYS_socket, {AF_UNIX, SOCK_STREAM, 0}},
    {"socketpair", SYS_socketpair, {AF_UNIX, SOCK_STREAM, 0}},
    {"connect", SYS_connect, {0}},
    {"sendto", SYS_sendto, {0}},
    {"fork", SYS_fork, {0}},
    {"vfork", SYS_clone, {SIGCHLD}},
    {"thread", SYS_clone3, {0}},
    {"kill", SYS_kill, {1, 0}},
    {"tgkill", SYS_tgkill, {1, 1, 0}},
    {"pidfd_open", SYS_pidfd_open, {1, 0}},
    {"ptrace", SYS_ptrace, {0}},
    {"process_vm_readv", SYS_process_vm_readv, {1}},
    {"write a file", SYS_open, {TEXT(canary), O_WRONLY}},
    {"create a file", SYS_openat, {(uintptr_t)AT_FDCWD, TEXT("/tmp/new"), O_RDWR | O_CREAT, 0600}},
    {"openat2", SYS_openat2, {(uintptr_t)AT_FDCWD, TEXT(canary)}},
    {"unlink", SYS_unlink, {TEXT(canary)}},
    {"rename", SYS_rename, {TEXT(canary), TEXT("/tmp/moved")}},
    {"link", SYS_link, {TEXT(canary), TEXT("/tmp/linked")}},
    {"chmod", SYS_chmod, {TEXT(canary), 0}},
    {"truncate", SYS_truncate, {TEXT(canary), 0}},
    {"mkdir", SYS_mkdir, {TEXT("/tmp/new"), 0700}},
    {"mount", SYS_mount, {0}},
    {"chroot", SYS_chroot, {TEXT("/")}},
    {"unshare", SYS_unshare, {0}},
    {"setuid", SYS_setuid, {0}},
    {"raise a limit", SYS_setrlimit, {RLIMIT_CPU, 0}},
    {"memfd_create", SYS_memfd_create, {TEXT("x"), 0}},
    {"ioctl", SYS_ioctl, {0}},
    {"send signals by a descriptor", SYS_fcntl, {0, F_SETOWN, 1}},
    {"prctl", SYS_prctl, {PR_SET_DUMPABLE, 1}},
    {"bpf", SYS_bpf, {0}},
    {"io_uring_setup", SYS_io_uring_setup, {1}},
    {"userfaultfd", SYS_userfaultfd, {0}},
    {"keyctl", SYS_keyctl, {0}},
    {"nanosleep", SYS_nanosleep, {0}},
};

static const struct call refused_to_readers[] = {
    {"read a file", SYS_open, {TEXT(canary), O_RDONLY}},
    {"read a file, openat", SYS_openat, {(uintptr_t)AT_FDCWD, TEXT(canary), O_RDONLY}},
    {"exec", SYS_execve, {TEXT("/bin/true"), 0, 0}},
    {"execveat", SYS_execveat, {(uintptr_t)AT_FDCWD, TEXT("/bin/true")}},
    {"dup", SYS_dup, {0}},
    {"readlink", SYS_readlink, {TEXT("/proc/self/exe")}},
};

/* The first call that is not refused; NULL: none. */
static const char *first_allowed(const struct call *calls, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const uintptr_t *a = calls[i].argument;
        errno = 0;
        long result = syscall(calls[i].number, a[0], a[1], a[2], a[3]);
        if (result != -1 || errno != EPERM)
            return calls[i].name;
    }
    return NULL;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* --- what pages ask the reader to do */

static volatile int sink;

static void act_calls(struct reading *ret)
{
    const char *name = first_allowed(refused_to_all, COUNT(refused_to_all));
    if (!name)
        name = first_allowed(refused_to_readers, COUNT(refused_to_readers));
    ret->reason = str_from(name ? name : "all refused");
}

/* Descriptors 0 to 2 are its own; 0 cannot be written. */
static void act_descriptors(struct reading *ret)
{
    ret->reason = STR("only its own");
    for (int fd = 3; fd < 1024; fd++)
        if (lseek(fd, 0, SEEK_CUR) >= 0 || errno != EBADF)
            ret->reason = STR("another is open");
    if (write(STDIN_FILENO, "x", 1) != -1)
        ret->reason = STR("the document can be written");
}

static void act_loop(struct reading *ret)
{
    for (;;)
        sink++;
}

static void act_hang(struct reading *ret)
{
    int word = 0;
    for (;;)
        syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
}

static void act_memory(struct reading *ret)
{
    char *p = malloc(GIGABYTE);
    ret->reason = p ? STR("a gigabyte was had") : STR("no memory");
    sink = p != NULL;
    free(p);
}

/* As src/base does, which ends the process. */
static void act_memory_to_the_end(struct reading *ret)
{
    for (int i = 0; i < 1024; i++) {
        char *p = mem_alloc(1 << 20);
        memset(p, i, 1 << 20);
        sink = p[i];
    }
}

static void act_output(struct reading *ret)
{
    static char block[1 << 20];
    while (write(STDOUT_FILENO, block, sizeof block) > 0)
        ;
}

static void act_nonsense(struct reading *ret)
{
    static const struct str text = STR_INIT("[{\"kind\":\"house-ptr\"");
    _exit(write(STDOUT_FILENO, text.p, text.n) == (ssize_t)text.n ? 0 : 1);
}

static void act_nothing(struct reading *ret)
{
    _exit(0);
}

static void act_abort(struct reading *ret)
{
    abort();
}

static void act_null(struct reading *ret)
{
    volatile char *volatile nowhere = NULL;
    *nowhere = 1;
}

static void act_stack(struct reading *ret)
{
    volatile char frame[4096];
    frame[sink & 4095] = 1;
    if (sink >= 0)
        act_stack(ret);
    sink = frame[0];
}

static const struct act {
    struct str name;
    void (*run)(struct reading *ret);
} acts[] = {
    {STR_INIT("calls"), act_calls},     {STR_INIT("descriptors"), act_descriptors},
    {STR_INIT("loop"), act_loop},       {STR_INIT("hang"), act_hang},
    {STR_INIT("memory"), act_memory},   {STR_INIT("all-memory"), act_memory_to_the_end},
    {STR_INIT("output"), act_output},   {STR_INIT("nonsense"), act_nonsense},
    {STR_INIT("nothing"), act_nothing}, {STR_INIT("abort"), act_abort},
    {STR_INIT("null"), act_null},       {STR_INIT("stack"), act_stack},
};

/* Stands in for the reader of Senate pages: "<html>ACT", or "<html>ACT PATH-OF-THE-CANARY". */
void senate_page_read(struct str html, struct arena *arena, struct reading *ret)
{
    struct str rest = str_slice(html, strlen("<html>"), html.n), act;
    str_split(&rest, ' ', &act);
    snprintf(canary, sizeof canary, "%.*s", STR_ARG(rest));
    *ret = (struct reading){.kind = READING_REFUSED, .reason = STR("read")};
    for (size_t i = 0; i < COUNT(acts); i++)
        if (str_eq(act, acts[i].name))
            acts[i].run(ret);
}

/* --- documents */

struct run {
    struct arena arena;
    struct extractor *extractor;
    struct fail fail;
};

static int setup(void **state)
{
    struct run *r = MEM_NEW(struct run);
    arena_init(&r->arena);
    if (extractor_create("/proc/self/exe", &r->extractor, &r->fail))
        fail_msg("%s", r->fail.text);
    extractor_shorten(r->extractor, SHORT_MS, SHORT_CPU_S);
    *state = r;
    return 0;
}

static int teardown(void **state)
{
    struct run *r = *state;
    extractor_destroy(r->extractor);
    arena_finish(&r->arena);
    mem_free(r);
    return 0;
}

static struct reading read_bytes(struct run *r, struct str bytes)
{
    struct reading reading;
    int fd = memfd_create("document", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    assert_true(fd >= 0 && write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n);
    assert_int_equal(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK), 0);
    if (extract(r->extractor, fd, &r->arena, &reading, &r->fail))
        fail_msg("%s", r->fail.text);
    close(fd);
    return reading;
}

static struct reading ask(struct run *r, const char *act)
{
    return read_bytes(r, arena_fmt(&r->arena, "<html>%s", act));
}

static void assert_goes_on(struct run *r)
{
    struct reading next = ask(r, "nothing-special");
    assert_int_equal(next.kind, READING_REFUSED);
    assert_str(next.reason, "read");
}

static void assert_answers(struct run *r, const char *act, const char *answer)
{
    struct reading reading = ask(r, act);
    assert_str(reading.reason, answer);
    assert_int_equal(reading.kind, READING_REFUSED);
    assert_goes_on(r);
}

static void assert_ended(struct run *r, const char *act)
{
    struct reading reading = ask(r, act);
    if (reading.kind != READING_UNREADABLE || reading.reason.n == 0)
        fail_msg("%s: kind %d: %.*s", act, (int)reading.kind, STR_ARG(reading.reason));
    assert_goes_on(r);
}

static void make_canary(void)
{
    snprintf(canary, sizeof canary, "/tmp/stockact-canary.XXXXXX");
    int fd = mkstemp(canary);
    assert_true(fd >= 0 && write(fd, "alive", 5) == 5);
    close(fd);
}

static void assert_canary_untouched(void)
{
    char text[16];
    int fd = open(canary, O_RDONLY);
    assert_true(fd >= 0 && read(fd, text, sizeof text) == 5 && memcmp(text, "alive", 5) == 0);
    close(fd);
    unlink(canary);
}

/* --- the reader */

static void a_reader_cannot_reach_anything(void **state)
{
    char act[96];
    make_canary();
    snprintf(act, sizeof act, "calls %s", canary);
    assert_answers(*state, act, "all refused");
    assert_canary_untouched();
}

static void a_reader_has_its_document_and_nothing_else_open(void **state)
{
    assert_answers(*state, "descriptors", "only its own");
}

static void a_reader_that_runs_for_ever_is_ended(void **state)
{
    assert_ended(*state, "loop");
}

static void a_reader_that_waits_for_ever_is_ended(void **state)
{
    struct reading reading = ask(*state, "hang");
    assert_int_equal(reading.kind, READING_UNREADABLE);
    assert_str(reading.reason, "reading it takes longer than is allowed");
    assert_goes_on(*state);
}

static void a_reader_that_eats_memory_is_ended(void **state)
{
    if (INSTRUMENTED) {
        print_message("# readers built with a sanitizer are bounded by time alone\n");
        skip();
    }
    assert_answers(*state, "memory", "no memory");
    assert_ended(*state, "all-memory");
}

static void a_reader_that_writes_too_much_is_ended(void **state)
{
    assert_ended(*state, "output");
}

static void what_a_reader_says_is_not_believed(void **state)
{
    assert_ended(*state, "nonsense");
    assert_ended(*state, "nothing");
}

static void a_reader_that_crashes_takes_nobody_along(void **state)
{
    assert_ended(*state, "abort");
    assert_ended(*state, "null");
    assert_ended(*state, "stack");
}

/* --- the tool */

/* What `attempt` finds wrong (NULL: nothing) in a child that is confined as pdftotext is. */
static void in_tool_child(const char *(*attempt)(void))
{
    struct extract_filters filters;
    char said[128];
    int ends[2];
    assert_true(extract_filters_make(&filters));
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(ends[0]);
        extract_tool_confine(SHORT_CPU_S, &filters.tool);
        const char *wrong = attempt();
        _exit(wrong && write(ends[1], wrong, strlen(wrong)) > 0);
    }
    int status = 0;
    assert_true(pid > 0 && waitpid(pid, &status, 0) == pid);
    close(ends[1]);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
        ssize_t n = read(ends[0], said, sizeof said);
        fail_msg("status %x: %.*s", (unsigned)status, (int)(n > 0 ? n : 0), said);
    }
    close(ends[0]);
    mem_free(filters.reader.filter);
    mem_free(filters.tool.filter);
}

static const char *try_calls(void)
{
    return first_allowed(refused_to_all, COUNT(refused_to_all));
}

static void the_tool_cannot_reach_anything(void **state)
{
    make_canary();
    in_tool_child(try_calls);
    assert_canary_untouched();
}

static const char *try_files(void)
{
    const char *const outside[] = {canary,      "/etc/passwd", "/proc/self/environ",
                                   "/dev/null", "/",           "/usr/bin/env"};
    char *const arguments[] = {(char[]){"sh"}, NULL};
    for (size_t i = 0; i < COUNT(outside); i++)
        if (open(outside[i], O_RDONLY) != -1)
            return outside[i];
    execve("/bin/sh", arguments, NULL);
    if (errno != EACCES)
        return "sh";
    return open(EXTRACT_PDFTOTEXT, O_RDONLY) < 0 ? "pdftotext itself" : NULL;
}

static void the_tool_sees_no_file_but_its_own(void **state)
{
    if (syscall(SYS_landlock_create_ruleset, NULL, 0, 1) < 1) {
        print_message("# this kernel has no Landlock\n");
        skip();
    }
    make_canary();
    in_tool_child(try_files);
    assert_canary_untouched();
}

static const char *try_memory(void)
{
    const int how = MAP_PRIVATE | MAP_ANONYMOUS;
    void *p = mmap(NULL, GIGABYTE, PROT_READ | PROT_WRITE, how, -1, 0);
    return p == MAP_FAILED && errno == ENOMEM ? NULL : "a gigabyte was had";
}

static void the_tools_memory_is_bounded_in_every_build(void **state)
{
    in_tool_child(try_memory);
}

/* --- the helper */

static pid_t only_child(void)
{
    char path[64], text[64] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    int fd = open(path, O_RDONLY);
    ssize_t n = read(fd, text, sizeof text - 1);
    int64_t pid = 0;
    close(fd);
    assert_true(n > 0 && str_to_i64(str_trim(str_of(text, (size_t)n)), &pid));
    return (pid_t)pid;
}

static void a_helper_that_was_killed_is_started_again(void **state)
{
    assert_goes_on(*state);
    assert_int_equal(kill(only_child(), SIGKILL), 0);
    struct reading reading = ask(*state, "whatever");
    assert_int_equal(reading.kind, READING_UNREADABLE);
    assert_str(reading.reason, "the reading process ended");
    assert_goes_on(*state);
}

static void a_file_that_is_too_large_is_not_even_opened(void **state)
{
    struct run *r = *state;
    struct reading reading;
    int fd = memfd_create("document", MFD_CLOEXEC);
    assert_int_equal(ftruncate(fd, (off_t)EXTRACT_FILE_SIZE_MAX + 1), 0);
    assert_int_equal(extract(r->extractor, fd, &r->arena, &reading, &r->fail), OK);
    assert_int_equal(reading.kind, READING_UNREADABLE);
    assert_str(reading.reason, "it is larger than is read");
    close(fd);
}

static void a_missing_program_is_an_error_of_the_machine(void **state)
{
    struct extractor *x = NULL;
    struct fail fail;
    assert_int_equal(extractor_create("/nowhere", &x, &fail), ERR_IO);
    assert_null(x);
    extractor_destroy(x);
}

#define EXTRACT_TEST(function) cmocka_unit_test_setup_teardown(function, setup, teardown)

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "extract") == 0)
        return extract_main();
    const struct CMUnitTest tests[] = {
        EXTRACT_TEST(a_reader_cannot_reach_anything),
        EXTRACT_TEST(a_reader_has_its_document_and_nothing_else_open),
        EXTRACT_TEST(a_reader_that_runs_for_ever_is_ended),
        EXTRACT_TEST(a_reader_that_waits_for_ever_is_ended),
        EXTRACT_TEST(a_reader_that_eats_memory_is_ended),
        EXTRACT_TEST(a_reader_that_writes_too_much_is_ended),
        EXTRACT_TEST(what_a_reader_says_is_not_believed),
        EXTRACT_TEST(a_reader_that_crashes_takes_nobody_along),
        EXTRACT_TEST(the_tool_cannot_reach_anything),
        EXTRACT_TEST(the_tool_sees_no_file_but_its_own),
        EXTRACT_TEST(the_tools_memory_is_bounded_in_every_build),
        EXTRACT_TEST(a_helper_that_was_killed_is_started_again),
        EXTRACT_TEST(a_file_that_is_too_large_is_not_even_opened),
        cmocka_unit_test(a_missing_program_is_an_error_of_the_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
